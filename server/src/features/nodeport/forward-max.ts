/** The greatest rate at which one CPU makes, forwards and counts packets, and what a packet costs it. */
import { ATTEMPTS, forwardMaxBenchmark } from '@expresslane/shared/features/nodeport/benchmarks'
import { bytes } from '@expresslane/shared/measure/units'
import type { RunBenchmark } from '../../benchmarks/invocation.ts'
import { throughNodePort } from './through.ts'
import { send } from './traffic.ts'

/**
 * Flows begin slowly, packet by packet: of a burst netfilter counts several packets of a flow as new ones, because it
 * remembers the flow only when the first of them leaves.
 */
const OPENED_A_SECOND = 10_000
const SHORTEST_SECONDS = 0.1
/** So that the last flow surely has its packet. */
const LONGER = 1.1

/** @throws LabError of the testbed and the helper; `datapath_not_taken`; `signal.reason` */
export const runForwardMax: RunBenchmark = (invocation, context) => {
  const { flows, packetBytes } = forwardMaxBenchmark.parse(invocation.benchmark)
  const { seconds } = invocation
  const frameBytes = bytes.parse(packetBytes)
  return throughNodePort(invocation, context, async ({ sink, counted }) => {
    const opening = Math.max(SHORTEST_SECONDS, (flows / OPENED_A_SECOND) * LONGER)
    const slowly = { load: { rate: OPENED_A_SECOND, flows }, frameBytes, seconds: opening }
    await send(invocation, slowly, context, false)
    async function attempt() {
      const startedAt = context.now()
      const none = await sink.count()
      const sent = await send(invocation, { load: { rate: 'max', flows }, frameBytes, seconds }, context, true)
      const arrived = (await sink.count()) - none
      return { startedAt, sent, arrived, lost: Math.max(0, sent.packets - arrived) }
    }
    let made = await attempt()
    let discarded = 0
    while (made.lost > 0) {
      discarded += 1
      if (discarded === ATTEMPTS) break
      made = await attempt()
    }
    const { startedAt, sent, arrived, lost } = made
    const counts = lost === 0
    return {
      startedAt,
      elapsedSeconds: sent.seconds,
      values: {
        forwardRate: counts ? arrived / sent.seconds : null,
        cpuPerPacket: counts ? sent.cpuNs / arrived : null,
        lost,
        ...(await counted(sent.flows)),
        discarded,
      },
      after: null,
    }
  })
}
