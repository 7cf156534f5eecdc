/** The capabilities that a lab can need, and what each is called in a sentence. */
import type { Capability } from '../testbed/testbed.ts'

const names: ReadonlyMap<Capability, string> = new Map([
  ['big-tcp-ipv4', 'BIG TCP over IPv4'],
  ['big-tcp-ipv6', 'BIG TCP over IPv6'],
  /** Any send limit can be set. */
  ['size-limit', 'choice of the send limit'],
  ['pod-mtu', "choice of the pods' MTU"],
  /** The workload has it. */
  ['iperf3', 'iperf3'],
  /** Packets can be seen on a node's device. */
  ['capture', 'packet capture'],
  /** Switching takes less time than a measurement. */
  ['quick-switch', 'quick switching'],
])

/** Every capability that a lab can need. */
export const knownCapabilities: readonly Capability[] = [...names.keys()]

/** What a sentence calls a capability; its id where it is not known. */
export function capabilityName(id: Capability): string {
  return names.get(id) ?? id
}
