/** The rules of kube-proxy's iptables mode (pkg/proxy/iptables/proxier.go): a new connection passes a rule for each service. Pure. */
import type { Family } from '@expresslane/shared/base/units'
import { chainHash, endpointText, podNetwork, type ServicePort } from './service-ports.ts'

/** kube-proxy's mark for packets whose source is to be replaced. */
const MARK = '0x4000'

/** The bits of an address that names one host. */
const hostBits: Readonly<Record<Family, number>> = { ipv4: 32, ipv6: 128 }

/** A service port with the names of its chains. */
interface Named extends ServicePort {
  readonly name: string
  readonly ext: string
  readonly svc: string
  /** The chain of the service's endpoint, with the rule for DNAT. */
  readonly sep: string
}

function named(of: ServicePort): Named {
  const name = `${of.service}:${of.protocol}`
  const hash = chainHash(`${name}${of.protocol}`, 16)
  const endpoint = chainHash(`${name}${of.protocol}${endpointText(of)}`, 16)
  return { ...of, name, ext: `KUBE-EXT-${hash}`, svc: `KUBE-SVC-${hash}`, sep: `KUBE-SEP-${endpoint}` }
}

function comment(text: string): string {
  return `-m comment --comment "${text}"`
}

/** A service port's rules outside of the chains that all services share. */
function rulesOf(of: Named, bits: number, pods: string): string[] {
  const { protocol, clusterIp, port, endpoint, name, ext, svc, sep } = of
  const isMeant = `-m ${protocol} -p ${protocol}`
  return [
    `-A ${ext} ${comment(`masquerade traffic for ${name} external destinations`)} -j KUBE-MARK-MASQ`,
    `-A ${ext} -j ${svc}`,
    `-A ${svc} ${comment(`${name} cluster IP`)} ${isMeant} -d ${clusterIp}/${bits} --dport ${port} ! -s ${pods} -j KUBE-MARK-MASQ`,
    `-A ${svc} ${comment(`${name} -> ${endpointText(of)}`)} -j ${sep}`,
    `-A ${sep} ${comment(name)} -s ${endpoint.address}/${bits} -j KUBE-MARK-MASQ`,
    `-A ${sep} ${comment(name)} ${isMeant} -j DNAT --to-destination ${endpointText(of)}`,
  ]
}

const filter = [
  '*filter',
  ':KUBE-FORWARD - [0:0]',
  ':KUBE-PROXY-FIREWALL - [0:0]',
  ':KUBE-SERVICES - [0:0]',
  ':KUBE-EXTERNAL-SERVICES - [0:0]',
  ...['INPUT', 'FORWARD', 'OUTPUT'].map(
    (hook) =>
      `-A ${hook} -m conntrack --ctstate NEW ${comment('kubernetes load balancer firewall')} -j KUBE-PROXY-FIREWALL`,
  ),
  `-A INPUT -m conntrack --ctstate NEW ${comment('kubernetes externally-visible service portals')} -j KUBE-EXTERNAL-SERVICES`,
  `-A FORWARD ${comment('kubernetes forwarding rules')} -j KUBE-FORWARD`,
  ...['FORWARD', 'OUTPUT'].map(
    (hook) => `-A ${hook} -m conntrack --ctstate NEW ${comment('kubernetes service portals')} -j KUBE-SERVICES`,
  ),
  `-A FORWARD -m conntrack --ctstate NEW ${comment('kubernetes externally-visible service portals')} -j KUBE-EXTERNAL-SERVICES`,
  '-A KUBE-FORWARD -m conntrack --ctstate INVALID -j DROP',
  `-A KUBE-FORWARD ${comment('kubernetes forwarding rules')} -m mark --mark ${MARK}/${MARK} -j ACCEPT`,
  `-A KUBE-FORWARD ${comment('kubernetes forwarding conntrack rule')} -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT`,
  'COMMIT',
]

/**
 * Lines of one transaction. An ordinary user's socket sends at most 208 KiB in one message (net.core.wmem_default), about
 * 250 rules; root could send all of them at once.
 */
const CHAINS_PER_TRANSACTION = 1000
const RULES_PER_TRANSACTION = 150

function nat(lines: readonly string[], most: number): string[] {
  return Array.from({ length: Math.ceil(lines.length / most) }).flatMap((_, index) => [
    '*nat',
    ...lines.slice(most * index, most * (index + 1)),
    'COMMIT',
  ])
}

/**
 * The tables of one family, for `iptables-restore --noflush` or `ip6tables-restore --noflush`.
 *
 * @param ports the measured ones last
 * @param whole whether to load all rules in one transaction: iptables-legacy replaces the whole table at each
 */
export function iptablesRules(of: Family, ports: readonly ServicePort[], whole: boolean): string {
  const bits = hostBits[of]
  const all = ports.map(named)
  const chains = [
    'KUBE-SERVICES',
    'KUBE-NODEPORTS',
    'KUBE-POSTROUTING',
    'KUBE-MARK-MASQ',
    ...all.flatMap(({ ext, svc, sep }) => [ext, svc, sep]),
  ]
  const declared = chains.map((chain) => `:${chain} - [0:0]`)
  const rules = [
    ...['PREROUTING', 'OUTPUT'].map((hook) => `-A ${hook} ${comment('kubernetes service portals')} -j KUBE-SERVICES`),
    `-A POSTROUTING ${comment('kubernetes postrouting rules')} -j KUBE-POSTROUTING`,
    ...all.map(
      (one) =>
        `-A KUBE-SERVICES ${comment(`${one.name} cluster IP`)} -m ${one.protocol} -p ${one.protocol} -d ${one.clusterIp}/${bits} --dport ${one.port} -j ${one.svc}`,
    ),
    `-A KUBE-SERVICES ${comment('kubernetes service nodeports; NOTE: this must be the last rule in this chain')} -m addrtype --dst-type LOCAL -j KUBE-NODEPORTS`,
    ...all.map(
      (one) =>
        `-A KUBE-NODEPORTS ${comment(one.name)} -m ${one.protocol} -p ${one.protocol} --dport ${one.nodePort} -j ${one.ext}`,
    ),
    `-A KUBE-MARK-MASQ -j MARK --or-mark ${MARK}`,
    `-A KUBE-POSTROUTING -m mark ! --mark ${MARK}/${MARK} -j RETURN`,
    `-A KUBE-POSTROUTING -j MARK --xor-mark ${MARK}`,
    `-A KUBE-POSTROUTING ${comment('kubernetes service traffic requiring SNAT')} -j MASQUERADE --random-fully`,
    ...all.flatMap((one) => rulesOf(one, bits, podNetwork[of])),
  ]
  const tables = whole
    ? nat([...declared, ...rules], declared.length + rules.length)
    : [...nat(declared, CHAINS_PER_TRANSACTION), ...nat(rules, RULES_PER_TRANSACTION)]
  return [...filter, ...tables, ''].join('\n')
}
