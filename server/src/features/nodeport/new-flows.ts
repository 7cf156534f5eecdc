/** What a new flow costs, and a packet of a flow that exists. */
import { newFlowsBenchmark } from '@expresslane/shared/features/nodeport/benchmarks'
import { hookIn } from '@expresslane/shared/features/nodeport/settings'
import { bytes } from '@expresslane/shared/measure/units'
import { LabError } from '@expresslane/shared/wire/errors'
import type { RunBenchmark } from '../../benchmarks/invocation.ts'
import { rulesLoadMs } from './driver.ts'
import { readCounts, countsTaken } from './counting.ts'
import { requireAnswer, send, startSink } from './traffic.ts'

/**
 * Flows of one run. All of them go to one backend from one address of the node, so they share its 64,512 source ports:
 * with more than half of them in use the search for a free one would begin to cost.
 */
const FLOWS = 30_000
/** A run that loses more packets than this share does not count. */
const MOST_LOST = 0.001
/** How long a flow that exists is measured, as a share of the time for new flows. */
const EXISTING_SHARE = 0.5

/** Fails if packets passed another hook. @throws LabError `datapath_not_taken` */
function requireNoOther(elsewhere: number): void {
  if (elsewhere === 0) return
  throw new LabError(
    'datapath_not_taken',
    `${elsewhere} packets passed another hook than the arm’s, so the measurement is not what its name says.`,
    'Run the step again. If that does not help, press Reset to remove the pods, and start again.',
  )
}

/** @throws LabError of the testbed and the helper; `datapath_not_taken`; `signal.reason` */
export const runNewFlows: RunBenchmark = async (invocation, context) => {
  const { packetBytes } = newFlowsBenchmark.parse(invocation.benchmark)
  const { address, seconds, family, fingerprint, placement } = invocation
  const hook = hookIn(fingerprint.settings)
  const frameBytes = bytes.parse(packetBytes)
  await requireAnswer(address, context)
  const before = await readCounts(context)
  const sink = await startSink(context)
  try {
    const started = context.now()
    const rate = Math.round(FLOWS / Math.max(1, seconds))
    const [none, fresh] = [
      await sink.count(),
      await send(invocation, { load: { newFlows: rate }, frameBytes, seconds }, context, true),
    ]
    const opened = await sink.count()
    const { taken, elsewhere } = countsTaken(hook, family, before, await readCounts(context))
    requireNoOther(elsewhere)
    const again = { load: { rate, flows: 1 }, frameBytes, seconds: seconds * EXISTING_SHARE }
    const existing = await send(invocation, again, context, false)
    const arrived = (await sink.count()) - none
    const lost = Math.max(0, fresh.packets + existing.packets - arrived)
    const counts = lost <= (fresh.packets + existing.packets) * MOST_LOST
    return {
      startedAt: started,
      elapsedSeconds: fresh.seconds + existing.seconds,
      values: {
        cpuPerNewFlow: counts ? fresh.cpuNs / fresh.packets / 1000 : null,
        cpuPerPacket: counts ? existing.cpuNs / existing.packets : null,
        forwardRate: (opened - none) / fresh.seconds,
        rulesLoadMs: rulesLoadMs(placement),
        lost,
        hookShare: hook === 'none' ? null : taken / fresh.flows,
        elsewhere,
        discarded: counts ? 0 : 1,
      },
      after: null,
    }
  } finally {
    await sink.stop()
  }
}
