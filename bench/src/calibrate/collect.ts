/** Takes experiments whose arms do not differ, through the app, until a file has enough of them. */
import { appendFile, readFile, truncate } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { experimentPlan, type ExperimentPlan } from '@expresslane/shared/measure/experiment'
import type { Measurement } from '@expresslane/shared/measure/measurement'
import { takenIn, type RunState } from '@expresslane/shared/run/run-state'
import { aaHeader, aaLineOf, type AaHeader } from './aa-series.ts'
import type { BenchApp } from '../support/app.ts'

/** A series of one experiment, measured again and again. */
export interface Repeated {
  readonly plan: ExperimentPlan
  /** Requests cost CPU that the measurement needs, so none are sent for this time, while netperf runs. */
  readonly quietMs: number
  /** @defaultValue the machine's own path of two pods */
  readonly testbed?: string
  /** The file's line for an experiment. */
  readonly lineOf: (at: number, taken: readonly Measurement[]) => object
}

/** The default design of the Bench page. */
const pair = experimentPlan.parse({
  arms: ['a', 'b'].map((id) => ({ id, label: `off (${id})`, settings: { 'big-tcp-ipv4': false } })),
  cases: [
    {
      id: 'rr',
      label: '80,000-byte requests over IPv4',
      family: 'ipv4',
      benchmark: { tool: 'tcp-rr', requestBytes: 80_000, responseBytes: 80_000 },
    },
  ],
  design: { order: 'interleaved', repeats: 8, seconds: 0.5, warmups: 1, budget: null },
})
export const pairs: Repeated = { plan: pair, quietMs: 10_000, lineOf: aaLineOf }

async function readIfThere(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}

function headerOf({ facts }: RunState, { plan }: Repeated): AaHeader {
  if (facts === null) throw new Error('the run has no facts about its environment')
  const { kernel, cpu, versions } = facts
  return aaHeader.parse({ plan, kernel, cpu: { model: cpu.model, count: cpu.count }, versions })
}

/** Each experiment is in a separate session, so that responses do not grow with their number. */
export async function measureIn(app: BenchApp, { plan, quietMs, testbed }: Repeated): Promise<RunState> {
  const session = await app.session('bench', testbed)
  const run = await app.run(session, 'run', { params: { plan } }, quietMs)
  if (run.state !== 'completed') throw new Error(`the experiment ended ${run.state}: ${run.problem?.message ?? ''}`)
  return run
}

/**
 * Continues an existing file, so that a series can be taken in several parts on one machine.
 *
 * @param measure measures once: {@link measureIn} an app
 * @param count the number of experiments that the file should have
 */
export async function collect(
  measure: (what: Repeated) => Promise<RunState>,
  file: string,
  count: number,
  what: Repeated,
): Promise<void> {
  let text = await readIfThere(file)
  if (!text.endsWith('\n')) {
    // The last part was interrupted while writing.
    text = text.slice(0, text.lastIndexOf('\n') + 1)
    if (text !== '') await truncate(file, Buffer.byteLength(text))
  }
  const [first = '', ...before] = text.split('\n').slice(0, -1)
  let header = first === '' ? null : aaHeader.parse(JSON.parse(first))
  for (let have = before.length; have < count; have += 1) {
    const run = await measure(what)
    const now = headerOf(run, what)
    if (header === null) await appendFile(file, `${JSON.stringify(now)}\n`)
    else if (!isDeepStrictEqual(header, now)) {
      throw new Error(`${file} was taken on another machine, or with another design: name another file with --to`)
    }
    header = now
    const taken = takenIn(run)
    await appendFile(file, `${JSON.stringify(what.lineOf(run.startedAt, taken))}\n`)
    console.error(`${have + 1} of ${count} experiments, ${((Date.now() - run.startedAt) / 1000).toFixed(0)} s`)
  }
}
