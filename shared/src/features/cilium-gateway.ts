/** Cilium's gateways between IPv4 and IPv6, in words. */

/** Why a lab never switches it. */
export const GATEWAY_OF_CILIUM =
  'All that Cilium still has of its gateways is nat46x64Gateway.enabled, which is compiled into the datapath of every node. Switching it on cut traffic on tun devices (cilium/cilium#32457) and, with native routing, IPv4 between pods of different nodes.'

/** The prefix of a gateway that does not name it (RFC 6052). */
export const WELL_KNOWN_PREFIX = '64:ff9b::/96'
