import { readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { experimentPlan } from '@expresslane/shared/measure/experiment'
import { median } from '@expresslane/shared/measure/measurement'
import { runAccepted } from '@expresslane/shared/wire/protocol'
import type { RunEvent } from '@expresslane/shared/run/events'
import type { BenchApp } from '../support/app.ts'
import { openEvents, type EventStream } from '../support/events.ts'
import { findGenerator } from '../support/holder.ts'
import { spread, type Bench, type Row } from '../support/table.ts'

const ROUNDS = 5
const POLL_MS = 1

const hook = process.getuid?.() === 0 ? 'xdp' : 'nftables'
const plan = experimentPlan.parse({
  arms: [{ id: 'a', label: 'a', settings: { 'nodeport-hook': hook } }],
  cases: [{ id: 'a', label: 'a', family: 'ipv4', benchmark: { tool: 'new-flows', packetBytes: 64 } }],
  design: { order: 'interleaved', repeats: 1, seconds: 60, warmups: 0, budget: null },
})

async function isRunning(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '')
  const state = stat.slice(stat.lastIndexOf(')') + 2).slice(0, 1)
  // A zombie has ended; its parent has not yet looked.
  return state !== '' && state !== 'Z'
}

type End = (generator: number, run: string) => Promise<unknown>

/** Ends one measurement while packets are on their way. @returns the milliseconds until nothing sends any more */
async function endOnce(app: BenchApp, stream: EventStream, end: End): Promise<number> {
  const session = await app.session('bench', 'netns:forwarder')
  const accepted = await app.ask('POST', `/api/sessions/${session}/steps/run/run`, { params: { plan } })
  const { runId } = runAccepted.parse(accepted)
  const own = (type: RunEvent['type']): Promise<void> =>
    stream.until((all) => all.some((one) => one.runId === runId && one.event.type === type))
  await own('sample.taken')
  const generator = await findGenerator(app.server.pid ?? Number.NaN)
  const began = performance.now()
  const ending = end(generator, runId)
  while (await isRunning(generator)) await setTimeout(POLL_MS)
  const took = performance.now() - began
  await ending
  await own('run.ended')
  return took
}

/** From a cancel, and from the signal that it sends, until the generator of packets has ended. */
export const cancelledPackets: Bench = async (app) => {
  const stream = await openEvents(app.link)
  const measure = async (what: string, how: string, limitMs: number, end: End): Promise<Row> => {
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) times.push(await endOnce(app, stream, end))
    const holds = median(times) <= limitMs
    return { what, bound: `<= ${limitMs} ms`, measured: spread(times, 0, ' ms'), how, holds }
  }
  try {
    return [
      await measure(
        'SIGTERM to the end of the generated packets',
        `${ROUNDS} measurements of new flows with ${hook}; the generator by itself`,
        100,
        async (generator) => process.kill(generator, 'SIGTERM'),
      ),
      await measure(
        'Cancel to the end of the generated packets',
        'the same, with the request and the search for all processes of the command',
        500,
        (_generator, run) => app.ask('POST', `/api/runs/${run}/cancel`),
      ),
    ]
  } finally {
    stream.close()
  }
}
