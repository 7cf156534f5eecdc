/** The idle share of the node's CPU while it forwards at a fixed rate. */
import { forwardPacedBenchmark, type PacedRun } from '@expresslane/shared/features/nodeport/forward-paced'
import { bytes, type EpochMs } from '@expresslane/shared/base/units'
import type { RunBenchmark } from '../../benchmarks/invocation.ts'
import { openFlows } from './opening.ts'
import { keptRun } from './paced-runs.ts'
import { startThread } from './thread.ts'
import { throughNodePort } from './through.ts'
import { laterBy, send } from './traffic.ts'

interface Attempt extends PacedRun {
  readonly startedAt: EpochMs
  readonly seconds: number
  /** CPU time of the thread for each packet that arrived, in ns; null if none did. */
  readonly cpuPerPacket: number | null
}

/** The share of some seconds, from 0 to 100 %. */
function percentOf(ns: number, seconds: number): number {
  return Math.min(100, Math.max(0, ns / 1e7 / seconds))
}

/** The idle share of a CPU at a rate, even if the rate was not quite reached: the time for a packet hardly depends on it. */
function idleAt(rate: number, cpuPerPacket: number | null): number {
  return cpuPerPacket === null ? 100 : 100 - percentOf(cpuPerPacket * rate, 1)
}

/** @throws LabError `machine_busy`; the errors of the testbed and the helper; `datapath_not_taken`; `signal.reason` */
export const runForwardPaced: RunBenchmark = (invocation, context) => {
  const { rate, flows, packetBytes } = forwardPacedBenchmark.parse(invocation.benchmark)
  const { seconds: asked, placement, previous } = invocation
  const frameBytes = bytes.parse(packetBytes)
  const load = { load: { rate, flows }, frameBytes, seconds: asked }
  return throughNodePort(invocation, context, async ({ sink, counted }) => {
    const thread = await startThread(placement, context)
    await openFlows(invocation, { flows, frameBytes }, context)

    async function attempt(number: number): Promise<Attempt> {
      const startedAt = context.now()
      const [none, before] = [await sink.count(), await thread.times()]
      const as = laterBy(number * asked, context)
      const { seconds, packets: sent, offered } = await send(invocation, load, as, true)
      const [after, all] = [await thread.times(), await sink.count()]
      const arrived = all - none
      const cpuPerPacket = arrived === 0 ? null : (after.runNs - before.runNs) / arrived
      return {
        startedAt,
        seconds,
        offered,
        sent,
        arrived,
        cpuPerPacket,
        idlePercent: idleAt(rate, cpuPerPacket),
        waitingPercent: percentOf(after.waitNs - before.waitNs, seconds),
      }
    }

    const hasCounted = (previous?.values['cpuIdle'] ?? null) !== null
    const { run, counts, discarded } = await keptRun(attempt, hasCounted)
    const { startedAt, seconds, sent, arrived, cpuPerPacket, idlePercent, waitingPercent } = run
    return {
      startedAt,
      elapsedSeconds: seconds,
      values: {
        cpuIdle: counts ? idlePercent : null,
        cpuPerPacket: counts ? cpuPerPacket : null,
        cpuWaiting: waitingPercent,
        forwardRate: counts ? arrived / seconds : null,
        lost: Math.max(0, sent - arrived),
        ...(await counted(flows)),
        discarded,
      },
      after: null,
    }
  })
}
