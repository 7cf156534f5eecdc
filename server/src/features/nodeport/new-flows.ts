/** The cost of a new flow, and of a packet of a flow that exists. */
import { newFlowsBenchmark } from '@expresslane/shared/features/nodeport/benchmarks'
import { bytes } from '@expresslane/shared/base/units'
import type { RunBenchmark } from '../../benchmarks/invocation.ts'
import { rulesLoadMs } from './pod-settings.ts'
import { throughNodePort } from './through.ts'
import { send } from './traffic.ts'

/**
 * Flows of one run. All of them go to one backend from one address of the node, so they share its 64,512 source ports:
 * with more than half of them in use the search for a free one would begin to cost.
 */
const FLOWS = 30_000
/** A run that loses more packets than this share does not count. */
const MOST_LOST = 0.001
/** How long a flow that exists is measured, as a share of the time for new flows. */
const EXISTING_SHARE = 0.5

/** @throws LabError of the testbed and the helper; `datapath_not_taken`; `signal.reason` */
export const runNewFlows: RunBenchmark = (invocation, context) => {
  const { packetBytes } = newFlowsBenchmark.parse(invocation.benchmark)
  const { seconds, placement } = invocation
  const frameBytes = bytes.parse(packetBytes)
  return throughNodePort(invocation, context, async ({ sink, counted }) => {
    const started = context.now()
    const rate = Math.round(FLOWS / Math.max(1, seconds))
    const none = await sink.count()
    const fresh = await send(invocation, { load: { newFlows: rate }, frameBytes, seconds }, context, true)
    const opened = await sink.count()
    const proof = await counted(fresh.flows)
    const again = { load: { rate, flows: 1 }, frameBytes, seconds: seconds * EXISTING_SHARE }
    const existing = await send(invocation, again, context, false)
    const arrived = (await sink.count()) - none
    const lost = Math.max(0, fresh.packets + existing.packets - arrived)
    // The generator's CPU time and its waiting come from two clocks. If only waiting is left, nothing was measured.
    const hasCost = Math.min(fresh.cpuNs, existing.cpuNs) > 0
    const counts = hasCost && lost <= (fresh.packets + existing.packets) * MOST_LOST
    return {
      startedAt: started,
      elapsedSeconds: fresh.seconds + existing.seconds,
      values: {
        cpuPerNewFlow: counts ? fresh.cpuNs / fresh.packets / 1000 : null,
        cpuPerPacket: counts ? existing.cpuNs / existing.packets : null,
        forwardRate: (opened - none) / fresh.seconds,
        rulesLoadMs: rulesLoadMs(placement),
        lost,
        ...proof,
        discarded: counts ? 0 : 1,
      },
      after: null,
    }
  })
}
