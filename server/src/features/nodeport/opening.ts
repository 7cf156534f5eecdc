/** Opens flows before they are measured, as slowly as netfilter needs it. */
import type { BenchmarkContext, Invocation } from '../../benchmarks/invocation.ts'
import type { GenerateOptions } from '../../tools/nodeport/argv.ts'
import { send } from './traffic.ts'

/**
 * Flows begin slowly, packet by packet: netfilter remembers a flow when its first packet leaves, so in a burst it would
 * search its rules for several packets of a flow, and count each as a new flow.
 */
const OPENED_A_SECOND = 5_000
/** So that the last flow surely has its packet. */
const LONGER = 1.1

/** Sends at least one packet of each flow. @throws LabError `tool_failed`; `signal.reason` */
export async function openFlows(
  invocation: Pick<Invocation, 'address' | 'repeat'>,
  { flows, frameBytes }: { readonly flows: number } & Pick<GenerateOptions, 'frameBytes'>,
  context: BenchmarkContext,
): Promise<void> {
  // In tenths of a second, of which the generator needs one at least.
  const seconds = Math.ceil((flows / OPENED_A_SECOND) * LONGER * 10) / 10
  await send(invocation, { load: { rate: OPENED_A_SECOND, flows }, frameBytes, seconds }, context, false)
}
