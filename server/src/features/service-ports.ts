/** The ports of services in one family as kube-proxy's rules name them, and made-up services. Pure. */
import { createHash } from 'node:crypto'
import type { Family } from '@expresslane/shared/base/units'

/** The port of made-up services, and of their endpoints. */
export const SERVICE_PORT = 80
/** The first and the last NodePort of Kubernetes' default range. */
const FIRST_NODE_PORT = 30_000
const LAST_NODE_PORT = 32_767

export function isNodePort(port: number): boolean {
  return port >= FIRST_NODE_PORT && port <= LAST_NODE_PORT
}

export type Protocol = 'tcp' | 'udp'

/** A port of a service, with its only endpoint, in one family. kube-proxy makes rules for such ports. */
export interface ServicePort {
  /** `lab/service-17`. */
  readonly service: string
  /** Also the name of the port. */
  readonly protocol: Protocol
  readonly clusterIp: string
  readonly port: number
  readonly nodePort: number
  readonly endpoint: { readonly address: string; readonly port: number }
  /** True for a port of the measured service. */
  readonly measured: boolean
}

/** The nth made-up address of a network. */
function addressIn(network: Readonly<Record<Family, string>>, of: Family, n: number): string {
  return of === 'ipv4' ? `${network.ipv4}.${n >> 8}.${n & 255}` : `${network.ipv6}::${n.toString(16)}`
}

/** The ranges that kubeadm and kind use. */
const clusterIps = { ipv4: '10.96', ipv6: 'fd00:10:96' } as const
const endpoints = { ipv4: '10.244', ipv6: 'fd00:10:244' } as const
/** The network of all pods' addresses in iptables and nftables rules. */
export const podNetwork: Readonly<Record<Family, string>> = { ipv4: '10.244.0.0/16', ipv6: 'fd00:10:244::/64' }

/**
 * So many made-up services, a port each: TCP and UDP in turn, so that neither passes fewer rules. 5,000 of them fit into the range
 * of NodePorts.
 *
 * @param taken a NodePort that none of them gets
 */
export function madeUpPorts(count: number, of: Family, taken: number): ServicePort[] {
  return Array.from({ length: count }, (_, index) => {
    const nodePort = FIRST_NODE_PORT + (index >> 1)
    return {
      service: `lab/service-${index + 1}`,
      protocol: index % 2 === 0 ? 'tcp' : 'udp',
      clusterIp: addressIn(clusterIps, of, index + 2),
      port: SERVICE_PORT,
      nodePort: nodePort < taken ? nodePort : nodePort + 1,
      endpoint: { address: addressIn(endpoints, of, index + 2), port: SERVICE_PORT },
      measured: false,
    }
  })
}

/** The nth cluster IP; the first is that of the cluster's own API. */
export function clusterIp(of: Family, n: number): string {
  return addressIn(clusterIps, of, n)
}

/** `10.42.0.2:8080`, `[fd00:42::2]:8080`. */
export function endpointText({ endpoint: { address, port } }: ServicePort): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The beginning of a SHA-256 sum in base 32 (RFC 4648), as in the names of kube-proxy's chains. @param length at most 16 */
export function chainHash(text: string, length: number): string {
  const sum = createHash('sha256').update(text).digest()
  let name = ''
  let [bits, kept] = [0, 0]
  for (const byte of sum) {
    bits = (bits << 8) | byte
    kept += 8
    for (; kept >= 5 && name.length < length; kept -= 5) name += BASE32[(bits >> (kept - 5)) & 31]
    bits &= (1 << kept) - 1
    if (name.length === length) return name
  }
  return name
}
