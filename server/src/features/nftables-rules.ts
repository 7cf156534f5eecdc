/**
 * The rules of kube-proxy's nftables mode, in the shape of Kubernetes 1.33 (pkg/proxy/nftables/README.md): a map finds
 * the service's chain, however many services there are. Besides, each endpoint's rule counts its new connections, the
 * measured service's apart from all others: the proof of the taken rule. Pure.
 */
import type { Family } from '@expresslane/shared/base/units'
import { NFT_NODEPORTS, NFT_TABLE, nftCounter, nftFamily, type NftFamily } from '../tools/nft.ts'
import { chainHash, endpointText, podNetwork, type ServicePort } from './service-ports.ts'

/** kube-proxy's mark for packets whose source is to be replaced. */
const MASQUERADE_MARK = '0x4000'

/**
 * The services of one transaction. An ordinary user's socket sends at most 208 KiB in one message (net.core.wmem_default),
 * about 100 services; root could send all of them at once.
 */
const SERVICES_PER_TRANSACTION = 50

const NODEPORTS_TYPE = 'inet_proto . inet_service : verdict'

interface Names {
  readonly service: string
  readonly external: string
  readonly endpoint: string
  readonly counter: string
}

function namesOf(of: ServicePort): Names {
  const { address, port } = of.endpoint
  const base = `${of.service}/${of.protocol}/${of.protocol}`
  const hashed = `${chainHash(base, 8)}-${base}`
  const endpoint = `${base}__${address}/${port}`
  return {
    service: `service-${hashed}`,
    external: `external-${hashed}`,
    // A chain's name has no colon.
    endpoint: `endpoint-${chainHash(endpoint, 8)}-${endpoint.replaceAll(':', '.')}`,
    counter: of.measured ? nftCounter[of.protocol] : nftCounter.others,
  }
}

function chain(name: string, ...rules: readonly string[]): string[] {
  return [`  chain ${name} {`, ...rules.map((rule) => `    ${rule}`), '  }']
}

/** A set or a map; repeated, it gets more elements. */
function elements(of: 'set' | 'map', name: string, type: string, list: readonly string[] = []): string[] {
  const filled = list.length === 0 ? [] : ['    elements = {', ...list.map((one) => `      ${one},`), '    }']
  return [`  ${of} ${name} {`, `    type ${type}`, ...filled, '  }']
}

function table(ip: NftFamily, lines: readonly string[]): string {
  return [`table ${ip} ${NFT_TABLE} {`, ...lines, '}', ''].join('\n')
}

/** The frame that all services share: the hooks, the chains that look services up, and the empty maps. */
function frame(ip: NftFamily, address: string, nodeAddresses: readonly string[]): string[] {
  const service = `${address} . inet_proto . inet_service : verdict`
  const byService = `${ip} daddr . meta l4proto . th dport vmap`
  const byNodePort = `${ip} daddr @nodeport-ips meta l4proto . th dport vmap`
  return [
    ...Object.values(nftCounter).map((name) => `  counter ${name} { }`),
    ...elements('set', 'nodeport-ips', address, nodeAddresses),
    ...elements('set', 'cluster-ips', address),
    ...elements('map', 'service-ips', service),
    ...elements('map', NFT_NODEPORTS, NODEPORTS_TYPE),
    // kube-proxy's maps of services without endpoints, and of services for some sources only. They stay empty here.
    ...elements('map', 'no-endpoint-services', service),
    ...elements('map', 'no-endpoint-nodeports', NODEPORTS_TYPE),
    ...elements('map', 'firewall-ips', service),
    ...chain('mark-for-masquerade', `meta mark set meta mark or ${MASQUERADE_MARK}`),
    ...chain('services', `${byService} @service-ips`, `${byNodePort} @${NFT_NODEPORTS}`),
    ...chain(
      'masquerading',
      `meta mark and ${MASQUERADE_MARK} == 0 return`,
      `meta mark set meta mark xor ${MASQUERADE_MARK}`,
      'masquerade fully-random',
    ),
    ...chain('firewall-check', `${byService} @firewall-ips`),
    ...chain('service-endpoints-check', `${byService} @no-endpoint-services`),
    ...chain('nodeport-endpoints-check', `${byNodePort} @no-endpoint-nodeports`),
    ...chain('cluster-ips-check', `${ip} daddr @cluster-ips reject`),
    ...chain(
      'filter-prerouting-pre-dnat',
      'type filter hook prerouting priority dstnat - 10;',
      'ct state new jump firewall-check',
    ),
    ...chain(
      'filter-input',
      'type filter hook input priority filter;',
      'ct state new jump nodeport-endpoints-check',
      'ct state new jump service-endpoints-check',
    ),
    ...chain(
      'filter-forward',
      'type filter hook forward priority filter;',
      'ct state new jump service-endpoints-check',
      'ct state new jump cluster-ips-check',
    ),
    ...chain('nat-prerouting', 'type nat hook prerouting priority dstnat;', 'jump services'),
    ...chain('nat-output', 'type nat hook output priority -100;', 'jump services'),
    ...chain('nat-postrouting', 'type nat hook postrouting priority srcnat;', 'jump masquerading'),
  ]
}

/** Some services: their chains, and their elements of the maps. */
function services(of: Family, ip: NftFamily, address: string, ports: readonly ServicePort[]): string[] {
  const named = ports.map((port) => ({ ...port, names: namesOf(port) }))
  const clusterIps = [...new Set(ports.map(({ clusterIp }) => clusterIp))]
  return [
    ...named.flatMap(({ names, ...one }) => [
      ...chain(
        names.endpoint,
        `${ip} saddr ${one.endpoint.address} jump mark-for-masquerade`,
        `meta l4proto ${one.protocol} counter name ${names.counter} dnat to ${endpointText(one)}`,
      ),
      ...chain(
        names.service,
        `${ip} daddr ${one.clusterIp} ${one.protocol} dport ${one.port} ${ip} saddr != ${podNetwork[of]} jump mark-for-masquerade`,
        `numgen random mod 1 vmap { 0 : goto ${names.endpoint} }`,
      ),
      ...chain(names.external, 'jump mark-for-masquerade', `goto ${names.service}`),
    ]),
    ...elements('set', 'cluster-ips', address, clusterIps),
    ...elements(
      'map',
      'service-ips',
      `${address} . inet_proto . inet_service : verdict`,
      named.map((one) => `${one.clusterIp} . ${one.protocol} . ${one.port} : goto ${one.names.service}`),
    ),
    ...elements(
      'map',
      NFT_NODEPORTS,
      NODEPORTS_TYPE,
      named.map((one) => `${one.protocol} . ${one.nodePort} : goto ${one.names.external}`),
    ),
  ]
}

/**
 * The table of one family, as texts for `nft` in their order: each is a transaction.
 *
 * @param ports the measured ones last
 * @param nodeAddresses at which the node answers
 */
export function nftablesRules(of: Family, ports: readonly ServicePort[], nodeAddresses: readonly string[]): string[] {
  const ip = nftFamily[of]
  const address = of === 'ipv4' ? 'ipv4_addr' : 'ipv6_addr'
  const parts = Array.from({ length: Math.ceil(ports.length / SERVICES_PER_TRANSACTION) }, (_, index) =>
    services(of, ip, address, ports.slice(SERVICES_PER_TRANSACTION * index, SERVICES_PER_TRANSACTION * (index + 1))),
  )
  const [first = [], ...more] = parts
  return [[...frame(ip, address, nodeAddresses), ...first], ...more].map((lines) => table(ip, lines))
}
