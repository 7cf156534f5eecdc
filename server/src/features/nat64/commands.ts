/** The `ip` commands, rules and configurations that make each translator on the gateway. Pure. */
import {
  client,
  END_DEVICE,
  ends,
  GATEWAY4,
  GATEWAY_NETWORK6,
  MASQUERADE4,
  MASQUERADE6,
  POOL,
  PREFIX,
  server,
  TAYGA6,
  TRANSLATED_MTU,
  TRANSLATOR_DEVICE,
} from '@expresslane/shared/features/nat64/places'
import type { BpfTranslator } from '@expresslane/shared/features/nat64/translators'
import type { AddressPair, TaygaConfig } from '../../tools/tayga.ts'
import type { TranslatedService, TranslateRules } from '../../tools/nodeport/translate.ts'

/** Where the server answers to prove that it is reached. */
export const ECHO_PORT = 7
/** Where the server's pages are. */
export const PAGE_PORT = 80
/** The ports of netserver's control connection, and the ports that iperf3's server tries. */
const CONTROL_PORTS = [12_865, ...Array.from({ length: 8 }, (_, index) => 5_201 + index)]
/** netserver chooses a port of the server for each data connection. */
const DATA_PORTS = { first: 20_000, last: 20_999 } as const

/** The file with the ports that a namespace chooses from, of both families, and its text. */
export const portRange = {
  file: '/proc/sys/net/ipv4/ip_local_port_range',
  text: `${DATA_PORTS.first} ${DATA_PORTS.last}\n`,
} as const

/** No ICMP redirects: packets that leave by the device come back from it, and senders need no other way. */
export const redirectsFile = `/proc/sys/net/ipv4/conf/${TRANSLATOR_DEVICE}/send_redirects`

const batch = (commands: readonly string[]): string => commands.map((one) => `${one}\n`).join('')

/** A device that holds the program, and its other end, which does nothing: not every kernel has dummy devices. */
export const makeDevice = batch([
  `link add ${TRANSLATOR_DEVICE} mtu 65535 type veth peer name ${TRANSLATOR_DEVICE}-end mtu 65535`,
  `link set ${TRANSLATOR_DEVICE} addrgenmode none arp off`,
  `link set ${TRANSLATOR_DEVICE}-end addrgenmode none arp off up`,
])

/** Packets to translate are routed to the device. The kernel answers for packets that get too big. */
export const useDevice = batch([
  `link set ${TRANSLATOR_DEVICE} up`,
  `route add ${POOL} dev ${TRANSLATOR_DEVICE} mtu lock ${TRANSLATED_MTU}`,
  `route add ${PREFIX} dev ${TRANSLATOR_DEVICE}`,
  `route add ${GATEWAY_NETWORK6} dev ${TRANSLATOR_DEVICE}`,
])

/** Without translation the server has the addresses that stand for it elsewhere, and answers from them. */
export const nativeBatches = {
  gateway: batch([
    `route add ${server.standIn.ipv4} via ${server.own.ipv4}`,
    `route add ${server.standIn.ipv6} via ${server.own.ipv6}`,
  ]),
  server: batch([
    `addr add ${server.standIn.ipv4}/32 dev ${END_DEVICE}`,
    `addr add ${server.standIn.ipv6}/128 dev ${END_DEVICE} nodad`,
    `route add ${client.networks.ipv4} via ${server.gateway.ipv4} src ${server.standIn.ipv4}`,
    `route add ${client.networks.ipv6} via ${server.gateway.ipv6} src ${server.standIn.ipv6}`,
  ]),
} as const

/** The IPv4 addresses that stand for the ends' own of IPv6. */
const pairs: readonly AddressPair[] = ends.map(({ standIn, own }) => ({ ipv4: standIn.ipv4, ipv6: own.ipv6 }))

export const tayga: TaygaConfig = {
  device: TRANSLATOR_DEVICE,
  own: { ipv4: GATEWAY4, ipv6: TAYGA6 },
  prefix: PREFIX,
  pairs,
}

function service(protocol: TranslatedService['protocol'], port: number): TranslatedService {
  const [address, backend] = [server.standIn.ipv4, server.own.ipv6]
  return { protocol, address, port, backend, backendPort: port, client: MASQUERADE6 }
}

/** Every port at which the server can be called. */
function services(): TranslatedService[] {
  const data = Array.from({ length: DATA_PORTS.last - DATA_PORTS.first + 1 }, (_, index) => DATA_PORTS.first + index)
  return [
    ...[ECHO_PORT, PAGE_PORT, ...CONTROL_PORTS, ...data].map((port) => service('tcp', port)),
    service('udp', ECHO_PORT),
  ]
}

/** Stateless: each end's address has its pair. Stateful: clients share an address, and ports of the server are services. */
export function rulesOf(translator: BpfTranslator): TranslateRules {
  const common = { prefix: PREFIX, gateway: GATEWAY4 }
  return translator === 'bpf-stateless'
    ? { ...common, pairs }
    : { ...common, masquerade: MASQUERADE4, services: services() }
}
