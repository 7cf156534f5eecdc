/** The `ip` and `nft` commands that put a device between a pod and its node. Pure. */
import type { PodDevice } from '@expresslane/shared/features/pod-devices/devices'
import { allPods, MTU, POD_END, WIRE, type Half } from '@expresslane/shared/features/pod-devices/places'
import { bytes } from '@expresslane/shared/base/units'
import { assertNever } from '@expresslane/shared/base/errors'
import { sizeAttributes } from '../../tools/ip-link.ts'

/** The table that tracks connections, with a counter for packets of known connections. */
export const TRACKING = 'pod-devices'
export const KNOWN = 'known'

/** Input of `ip -batch -` on the node, and in the pod after it. */
export interface Batches {
  readonly node: string
  readonly pod: string
}

const text = (commands: readonly string[]): string => commands.map((one) => `${one}\n`).join('')

/** Packets from the pod have no link layer, so there are no neighbours, and each address is a route. */
function netkit({ pod, lxc, ipv4, ipv6 }: Half, peer: 'forward' | 'blackhole'): Batches {
  return {
    node: text([
      `link add ${lxc} index 20 mtu ${MTU} type netkit mode l3 forward peer ${peer} name to-pod`,
      `link set to-pod netns ${pod} name ${POD_END}`,
      `link set ${lxc} addrgenmode none`,
      `link set ${lxc} up`,
      `addr add ${ipv4.gateway}/32 dev ${lxc}`,
      `addr add ${ipv6.gateway}/128 dev ${lxc} nodad`,
      `route add ${ipv4.pod}/32 dev ${lxc}`,
      `route add ${ipv6.pod}/128 dev ${lxc}`,
    ]),
    pod: text([
      `link set ${POD_END} mtu ${MTU}`,
      `link set ${POD_END} addrgenmode none`,
      `link set ${POD_END} up`,
      `addr add ${ipv4.pod}/32 dev ${POD_END}`,
      `addr add ${ipv6.pod}/128 dev ${POD_END} nodad`,
      `route add ${ipv4.gateway}/32 dev ${POD_END}`,
      `route add ${ipv6.gateway}/128 dev ${POD_END}`,
      `route add default via ${ipv4.gateway}`,
      `route add ::/0 via ${ipv6.gateway}`,
    ]),
  }
}

/** Fixed link-local addresses: with the kernel's own a node can't ask for neighbours until they are checked. */
function veth({ pod, lxc, ipv4, ipv6 }: Half): Batches {
  return {
    node: text([
      `link add ${lxc} index 20 mtu ${MTU} type veth peer name ${POD_END} netns ${pod} index 21 mtu ${MTU}`,
      `link set ${lxc} addrgenmode none`,
      `addr add fe80::1/64 dev ${lxc} nodad`,
      `link set ${lxc} up`,
      `addr add ${ipv4.gateway}/24 dev ${lxc}`,
      `addr add ${ipv6.gateway}/64 dev ${lxc} nodad`,
    ]),
    pod: text([
      `link set ${POD_END} addrgenmode none`,
      `addr add fe80::2/64 dev ${POD_END} nodad`,
      `link set ${POD_END} up`,
      `addr add ${ipv4.pod}/24 dev ${POD_END}`,
      `addr add ${ipv6.pod}/64 dev ${POD_END} nodad`,
      `route add default via ${ipv4.gateway}`,
      `route add ::/0 via ${ipv6.gateway}`,
    ]),
  }
}

/** The processes get the node's own device: one network namespace is host and pod. */
function host({ pod, ipv4, ipv6 }: Half): Batches {
  return {
    node: text([`link set ${WIRE} netns ${pod}`]),
    pod: text([
      `link set ${WIRE} addrgenmode none`,
      `link set ${WIRE} up`,
      `addr add ${ipv4.pod}/${allPods.ipv4} dev ${WIRE}`,
      `addr add ${ipv6.pod}/${allPods.ipv6} dev ${WIRE} nodad`,
    ]),
  }
}

export function batchesFor(device: PodDevice, half: Half): Batches {
  switch (device) {
    case 'host':
      return host(half)
    case 'veth':
    case 'veth-conntrack':
    case 'veth-bpf':
      return veth(half)
    case 'netkit':
      return netkit(half, 'forward')
    case 'netkit-bpf':
      return netkit(half, 'blackhole')
    default:
      return assertNever(device)
  }
}

/** As Cilium sets it. */
const BIG = bytes.parse(196_608)
const bigSizes = sizeAttributes({ ipv6: BIG, ipv4: BIG }).join(' ')

/** BIG TCP on all devices of a pod and its node: a device with the smaller limit cuts each packet. */
export function bigTcpBatches(device: PodDevice, { lxc }: Half): Batches {
  const of = (name: string): string => `link set dev ${name} ${bigSizes}`
  return { node: device === 'host' ? '' : text([of(lxc), of(WIRE)]), pod: text([of(POD_END)]) }
}

/** The rules that make a node track the connections that it forwards. */
export const trackingRules = [
  `table inet ${TRACKING} {`,
  `  counter ${KNOWN} { }`,
  '  chain forward {',
  '    type filter hook forward priority filter; policy accept;',
  `    ct state established,related counter name ${KNOWN} accept`,
  '    ct state new accept',
  '  }',
  '}',
  '',
].join('\n')
