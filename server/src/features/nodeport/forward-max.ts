/** The greatest rate at which one CPU makes, forwards and counts packets, and what a packet costs it. */
import { ATTEMPTS, forwardMaxBenchmark } from '@expresslane/shared/features/nodeport/benchmarks'
import { bytes } from '@expresslane/shared/measure/units'
import type { BenchmarkContext, RunBenchmark } from '../../benchmarks/invocation.ts'
import { throughNodePort } from './through.ts'
import { send } from './traffic.ts'

/**
 * Flows begin slowly, packet by packet: netfilter remembers a flow when its first packet leaves, so of a burst it would
 * search its rules for several packets of a flow, and count each as a new one.
 */
const OPENED_A_SECOND = 5_000
/** So that the last flow surely has its packet. */
const LONGER = 1.1

/** The same context for a later attempt: its samples follow those of the attempts before. */
function laterBy(seconds: number, context: BenchmarkContext): BenchmarkContext {
  return {
    ...context,
    emit(event) {
      if (event.type !== 'sample.taken') context.emit(event)
      else context.emit({ ...event, sample: { ...event.sample, atSeconds: event.sample.atSeconds + seconds } })
    },
  }
}

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
    // In tenths of a second, of which the generator needs one at least.
    const opening = Math.ceil((flows / OPENED_A_SECOND) * LONGER * 10) / 10
    const slowly = { load: { rate: OPENED_A_SECOND, flows }, frameBytes, seconds: opening }
    await send(invocation, slowly, context, false)
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
