/** The greatest rate at which one CPU makes, forwards and counts packets, and the CPU's time for a packet. */
import { ATTEMPTS, forwardMaxBenchmark } from '@expresslane/shared/features/nodeport/benchmarks'
import { bytes } from '@expresslane/shared/base/units'
import type { RunBenchmark } from '../../benchmarks/invocation.ts'
import { openFlows } from './opening.ts'
import { throughNodePort } from './through.ts'
import { laterBy, send } from './traffic.ts'

/**
 * Opens the flows, then sends as fast as one CPU can. A run that lost a packet is discarded and made again, at most
 * {@link ATTEMPTS} times; then the values are null.
 *
 * @throws LabError of the testbed and the helper; `datapath_not_taken`; `signal.reason`
 */
export const runForwardMax: RunBenchmark = (invocation, context) => {
  const { flows, packetBytes } = forwardMaxBenchmark.parse(invocation.benchmark)
  const { seconds } = invocation
  const frameBytes = bytes.parse(packetBytes)
  return throughNodePort(invocation, context, async ({ sink, counted }) => {
    async function attempt(number: number) {
      const startedAt = context.now()
      const none = await sink.count()
      const as = laterBy(number * seconds, context)
      const sent = await send(invocation, { load: { rate: 'max', flows }, frameBytes, seconds }, as, true)
      const arrived = (await sink.count()) - none
      return { startedAt, sent, arrived, lost: Math.max(0, sent.packets - arrived) }
    }
    await openFlows(invocation, { flows, frameBytes }, context)
    let made = await attempt(0)
    let discarded = 0
    while (made.lost > 0) {
      discarded += 1
      if (discarded === ATTEMPTS) break
      made = await attempt(discarded)
    }
    const { startedAt, sent, arrived, lost } = made
    return {
      startedAt,
      elapsedSeconds: sent.seconds,
      values: {
        forwardRate: lost === 0 ? arrived / sent.seconds : null,
        cpuPerPacket: lost === 0 ? sent.cpuNs / arrived : null,
        cpuShare: sent.cpuNs / sent.seconds / 1e7,
        lost,
        ...(await counted(flows)),
        discarded,
      },
      after: null,
    }
  })
}
