/** Takes comparisons of an arm with itself on the netns testbed, through the app, until a file has enough of them. */
import { appendFile, readFile, truncate } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { experimentPlan } from '@expresslane/shared/measure/experiment'
import { takenIn, type RunState } from '@expresslane/shared/run/run-state'
import { aaHeader, aaLineOf, parseAaSeries, type AaHeader } from './aa-series.ts'
import type { BenchApp } from '../support/app.ts'

/** The default design of the Bench page. */
const plan = experimentPlan.parse({
  arms: ['a', 'b'].map((id) => ({ id, label: `off (${id})`, settings: { 'big-tcp-ipv4': false } })),
  cases: [
    {
      id: 'rr',
      label: '80,000-byte requests over IPv4',
      family: 'ipv4',
      benchmark: { tool: 'tcp-rr', requestBytes: 80_000, responseBytes: 80_000 },
    },
  ],
  design: { order: 'interleaved', repeats: 8, seconds: 1, warmups: 1, budget: null },
})
/** Requests cost CPU that the measurement needs, so none are sent while netperf runs. */
const QUIET_MS = 18_000

async function readIfThere(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}

function headerOf({ facts }: RunState): AaHeader {
  if (facts === null) throw new Error('the run has no facts about its environment')
  const { kernel, cpu, versions } = facts
  return aaHeader.parse({ plan, kernel, cpu: { model: cpu.model, count: cpu.count }, versions })
}

/**
 * One comparison: an experiment in a separate session, so that responses do not grow with the number of comparisons.
 */
async function measure(app: BenchApp): Promise<RunState> {
  const session = await app.session('bench')
  const run = await app.run(session, 'run', { params: { plan } }, QUIET_MS)
  if (run.state !== 'completed') throw new Error(`the experiment ended ${run.state}: ${run.problem?.message ?? ''}`)
  return run
}

/**
 * Continues an existing file, so that a series can be taken in several parts on one machine.
 *
 * @param count the number of comparisons that the file should have
 */
export async function collect(app: BenchApp, file: string, count: number): Promise<void> {
  let text = await readIfThere(file)
  if (!text.endsWith('\n')) {
    // The last part was interrupted while writing.
    text = text.slice(0, text.lastIndexOf('\n') + 1)
    if (text !== '') await truncate(file, Buffer.byteLength(text))
  }
  const before = text === '' ? null : parseAaSeries(text)
  let header = before?.header ?? null
  for (let have = before?.lines.length ?? 0; have < count; have += 1) {
    const run = await measure(app)
    const now = headerOf(run)
    if (header === null) await appendFile(file, `${JSON.stringify(now)}\n`)
    else if (!isDeepStrictEqual(header, now)) {
      throw new Error(`${file} was taken on another machine, or with another design: name another file with --to`)
    }
    header = now
    const taken = takenIn(run)
    await appendFile(file, `${JSON.stringify(aaLineOf(run.startedAt, taken))}\n`)
    console.error(`${have + 1} of ${count} comparisons, ${((Date.now() - run.startedAt) / 1000).toFixed(0)} s`)
  }
}
