/** The common frame of this feature's measurements: an answer before them, the sink, and the hooks' counts. */
import type { Hook } from '@expresslane/shared/features/nodeport/hooks'
import { hookIn } from '@expresslane/shared/features/nodeport/settings'
import { LabError } from '@expresslane/shared/base/errors'
import type { BenchmarkContext, Invocation } from '../../benchmarks/invocation.ts'
import { countsTaken, readCounts } from './counting.ts'
import { requireAnswer, startSink, type Sink } from './traffic.ts'

/** The values of the proof that an arm is what its name says. */
interface Counted {
  /** New flows that the arm's hook counted, per flow that was sent; null without forwarding. */
  readonly hookShare: number | null
  /** New flows that all other hooks counted: 0, or the run fails. */
  readonly elsewhere: number
}

/** The parts that a runner gets to send packets to the NodePort. */
export interface Through {
  readonly hook: Hook
  /** Counts and drops the packets that arrive: at the backend, or at the node if it does not forward. */
  readonly sink: Sink
  /**
   * Reads the hooks' counts since the beginning.
   *
   * @param flows the different flows that were sent since then
   * @throws LabError `datapath_not_taken` if packets passed another hook
   */
  readonly counted: (flows: number) => Promise<Counted>
}

function requireNoOther(elsewhere: number): void {
  if (elsewhere === 0) return
  throw new LabError(
    'datapath_not_taken',
    `${elsewhere} packets passed another hook than the arm’s, so the measurement is not what its name says.`,
    'Run the step again. If that does not help, press Reset to remove the pods, and start again.',
  )
}

/**
 * Checks that the NodePort answers, starts the sink, lets `work` send packets, and ends the sink. Without forwarding
 * nothing can answer, and the packets end at the node: the cost of making, carrying and counting them.
 *
 * @throws LabError `datapath_not_taken` if the NodePort does not answer; the errors of the testbed, of the helper
 *   and of `work`; `signal.reason`
 */
export async function throughNodePort<T>(
  { address, family, fingerprint: { settings } }: Pick<Invocation, 'address' | 'family' | 'fingerprint'>,
  context: BenchmarkContext,
  work: (through: Through) => Promise<T>,
): Promise<T> {
  const hook = hookIn(settings)
  if (hook !== 'none') await requireAnswer(address, context)
  const before = await readCounts(context)
  const sink = await startSink(hook, context)
  try {
    return await work({
      hook,
      sink,
      async counted(flows) {
        const { taken, elsewhere } = countsTaken(hook, family, before, await readCounts(context))
        requireNoOther(elsewhere)
        return { hookShare: hook === 'none' ? null : taken / flows, elsewhere }
      },
    })
  } finally {
    await sink.stop()
  }
}
