/** What a lab can need of a testbed, as a sentence names it. */
import type { Capability } from '@expresslane/shared/testbed/testbed'

export const capabilityName: Record<Capability, string> = {
  'big-tcp-ipv4': 'BIG TCP over IPv4',
  'big-tcp-ipv6': 'BIG TCP over IPv6',
  'size-limit': 'choice of the send limit',
  'pod-mtu': "choice of the pods' MTU",
  iperf3: 'iperf3',
  capture: 'look at the packets',
  'quick-switch': 'quick switching',
}
