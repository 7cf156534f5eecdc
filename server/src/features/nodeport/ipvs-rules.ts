/**
 * The rules of kube-proxy's IPVS mode (pkg/proxy/ipvs/proxier.go): virtual services, a device with their addresses, and rules of
 * iptables whose number does not depend on that of the services, because they look into sets. Pure.
 */
import type { Family } from '@expresslane/shared/base/units'
import { endpointText, podNetwork, type ServicePort } from '../service-ports.ts'

/** The device that has the addresses of all services, so that packets to them come to the node's own stack, where IPVS is. */
const DEVICE = 'kube-ipvs0'
/** kube-proxy's mark for packets whose source is to be replaced. */
const MARK = '0x4000'

interface FamilyWords {
  /** As `ipset` calls it. */
  readonly inet: 'inet' | 'inet6'
  /** Before the name of each set. */
  readonly prefix: '' | '6-'
  readonly bits: 32 | 128
  readonly unreachable: string
}

const words: Readonly<Record<Family, FamilyWords>> = {
  ipv4: { inet: 'inet', prefix: '', bits: 32, unreachable: 'icmp-port-unreachable' },
  ipv6: { inet: 'inet6', prefix: '6-', bits: 128, unreachable: 'icmp6-port-unreachable' },
}

/** The names are at most 31 characters long, the prefix included. */
function setsOf(of: Family): Readonly<Record<'loopBack' | 'clusterIp' | 'tcp' | 'udp' | 'all', string>> {
  const { prefix } = words[of]
  return {
    loopBack: `KUBE-${prefix}LOOP-BACK`,
    clusterIp: `KUBE-${prefix}CLUSTER-IP`,
    tcp: `KUBE-${prefix}NODE-PORT-TCP`,
    udp: `KUBE-${prefix}NODE-PORT-UDP`,
    all: `KUBE-${prefix}IPVS-IPS`,
  }
}

function clusterIpsOf(ports: readonly ServicePort[]): string[] {
  return [...new Set(ports.map(({ clusterIp }) => clusterIp))]
}

/** The sets of one family, for `ipset restore`. */
export function ipvsSets(of: Family, ports: readonly ServicePort[]): string {
  const { inet } = words[of]
  const sets = setsOf(of)
  const hash = `family ${inet} hashsize 1024 maxelem 65536`
  return [
    `create ${sets.loopBack} hash:ip,port,ip ${hash}`,
    `create ${sets.clusterIp} hash:ip,port ${hash}`,
    `create ${sets.all} hash:ip ${hash}`,
    `create ${sets.tcp} bitmap:port range 0-65535`,
    `create ${sets.udp} bitmap:port range 0-65535`,
    ...ports.flatMap(({ protocol, clusterIp, port, nodePort, endpoint }) => [
      `add ${sets.loopBack} ${endpoint.address},${protocol}:${endpoint.port},${endpoint.address}`,
      `add ${sets.clusterIp} ${clusterIp},${protocol}:${port}`,
      `add ${sets[protocol]} ${nodePort}`,
    ]),
    ...clusterIpsOf(ports).map((address) => `add ${sets.all} ${address}`),
    '',
  ].join('\n')
}

/** The tables of one family, for `iptables-restore --noflush` or `ip6tables-restore --noflush`. */
export function ipvsTables(of: Family): string {
  const { unreachable } = words[of]
  const sets = setsOf(of)
  return [
    '*filter',
    ':KUBE-FORWARD - [0:0]',
    ':KUBE-NODE-PORT - [0:0]',
    ':KUBE-PROXY-FIREWALL - [0:0]',
    ':KUBE-IPVS-FILTER - [0:0]',
    '-A FORWARD -j KUBE-FORWARD',
    '-A INPUT -j KUBE-NODE-PORT',
    '-A INPUT -j KUBE-PROXY-FIREWALL',
    '-A INPUT -j KUBE-IPVS-FILTER',
    `-A KUBE-FORWARD -m mark --mark ${MARK}/${MARK} -j ACCEPT`,
    '-A KUBE-FORWARD -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT',
    `-A KUBE-IPVS-FILTER -m set --match-set ${sets.clusterIp} dst,dst -j RETURN`,
    `-A KUBE-IPVS-FILTER -m conntrack --ctstate NEW -m set --match-set ${sets.all} dst -j REJECT --reject-with ${unreachable}`,
    'COMMIT',
    '*nat',
    ':KUBE-SERVICES - [0:0]',
    ':KUBE-NODE-PORT - [0:0]',
    ':KUBE-POSTROUTING - [0:0]',
    ':KUBE-MARK-MASQ - [0:0]',
    '-A PREROUTING -j KUBE-SERVICES',
    '-A OUTPUT -j KUBE-SERVICES',
    '-A POSTROUTING -j KUBE-POSTROUTING',
    `-A KUBE-MARK-MASQ -j MARK --or-mark ${MARK}`,
    `-A KUBE-SERVICES ! -s ${podNetwork[of]} -m set --match-set ${sets.clusterIp} dst,dst -j KUBE-MARK-MASQ`,
    '-A KUBE-SERVICES -m addrtype --dst-type LOCAL -j KUBE-NODE-PORT',
    `-A KUBE-SERVICES -m set --match-set ${sets.clusterIp} dst,dst -j ACCEPT`,
    `-A KUBE-NODE-PORT -p tcp -m set --match-set ${sets.tcp} dst -j KUBE-MARK-MASQ`,
    `-A KUBE-NODE-PORT -p udp -m set --match-set ${sets.udp} dst -j KUBE-MARK-MASQ`,
    `-A KUBE-POSTROUTING -m set --match-set ${sets.loopBack} dst,dst,src -j MASQUERADE`,
    `-A KUBE-POSTROUTING -m mark ! --mark ${MARK}/${MARK} -j RETURN`,
    `-A KUBE-POSTROUTING -j MARK --xor-mark ${MARK}`,
    '-A KUBE-POSTROUTING -j MASQUERADE --random-fully',
    'COMMIT',
    '',
  ].join('\n')
}

/** The device with the addresses of both families, for `ip -batch -`. */
export function ipvsDevice(ports: Readonly<Record<Family, readonly ServicePort[]>>): string {
  return [
    `link add ${DEVICE} type dummy`,
    ...clusterIpsOf(ports.ipv4).map((address) => `address add ${address}/${words.ipv4.bits} dev ${DEVICE}`),
    ...clusterIpsOf(ports.ipv6).map((address) => `address add ${address}/${words.ipv6.bits} dev ${DEVICE} nodad`),
    '',
  ].join('\n')
}

/**
 * The virtual services of one family, for `ipvsadm --restore`: each at its own address and at the node's.
 *
 * @param node the node's address towards the clients
 */
export function ipvsServices(ports: readonly ServicePort[], node: string): string {
  const at = (address: string, port: number): string =>
    address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`
  const lines = ports.flatMap((one) => {
    const flag = one.protocol === 'tcp' ? '-t' : '-u'
    return [at(one.clusterIp, one.port), at(node, one.nodePort)].flatMap((address) => [
      `-A ${flag} ${address} -s rr`,
      `-a ${flag} ${address} -r ${endpointText(one)} -m -w 1`,
    ])
  })
  return [...lines, ''].join('\n')
}
