/** The `ip` commands of the tunnel, and how large its packets can be. Pure. */
import { halves, MTU, POD_END, TUNNEL, WIRE, type Half } from '@expresslane/shared/features/tunnel-path/places'
import { isEncrypted, tunnelName, type TunnelKind } from '@expresslane/shared/features/tunnel-path/settings'
import { bytes, formatCount } from '@expresslane/shared/base/units'
import { LEGACY_MAX_SIZE } from '@expresslane/shared/testbed/reading'
import { singlePackets, sizeAttributes } from '../../tools/ip-link.ts'
import { linkLocal, type DeviceTrial } from '../../testbeds/topology.ts'

export const text = (commands: readonly string[]): string => commands.map((one) => `${one}\n`).join('')

/** Names the packets of the ESP device to its policies and keys. */
export const ESP_ID = 7
export const AES_GCM = "aead 'rfc4106(gcm(aes))'"

type Kind = Exclude<TunnelKind, 'none'>

const ends: Readonly<Record<Kind, (own: string, other: string) => string>> = {
  vxlan: (own, other) => `vxlan id 7 local ${own} remote ${other} dstport 8472`,
  geneve: (_own, other) => `geneve id 7 remote ${other} dstport 6081`,
  wireguard: () => 'wireguard',
  esp: () => `xfrm dev ${WIRE} if_id ${ESP_ID}`,
}

/** Input of `ip -batch -` on a node: its end of the tunnel, through which the other node's pods are reached. @param mtu the tunnel's */
export function tunnelBatch(kind: Kind, own: Half, mtu: number): string {
  const other = halves[own.index === 1 ? 1 : 0]
  return text([
    `link add ${TUNNEL} index 30 mtu ${mtu} type ${ends[kind](own.ipv4.wire, other.ipv4.wire)}`,
    ...linkLocal(TUNNEL, `fe80::2${own.index}`),
    `link set ${TUNNEL} up`,
    `addr add ${own.ipv4.tunnel}/24 dev ${TUNNEL}`,
    `addr add ${own.ipv6.tunnel}/64 dev ${TUNNEL} nodad`,
    `route replace ${other.ipv4.pods} via ${other.ipv4.tunnel}`,
    `route replace ${other.ipv6.pods} via ${other.ipv6.tunnel}`,
  ])
}

/** @param size more than 64 KiB, or one MTU: then only the pods keep to it @param tunnel the largest packet that the tunnel takes; null without one */
export function sizeBatches({ lxc }: Half, size: number, tunnel: number | null): { node: string; pod: string } {
  if (size === MTU) return { node: '', pod: singlePackets(POD_END) }
  const of = (device: string, most: number): string =>
    `link set dev ${device} ${sizeAttributes({ ipv6: bytes.parse(most), ipv4: bytes.parse(most) }).join(' ')}`
  const own = tunnel === null ? [] : [of(TUNNEL, Math.min(size, tunnel))]
  return { node: text([of(lxc, size), of(WIRE, size), ...own]), pod: text([of(POD_END, size)]) }
}

function inWords(lines: readonly string[]): string {
  const most = lines.flatMap((line) => /\btso_max_size (\d+)/.exec(line)?.[1] ?? []).map(Number)[0]
  if (most === undefined) return 'A device was made. This `ip` does not show its tso_max_size.'
  const meaning =
    most > LEGACY_MAX_SIZE ? 'Big packets go through whole.' : 'This kernel cuts big packets before they enter it.'
  return `tso_max_size is ${formatCount(most)}. ${meaning}`
}

const udpTrial = 'id 1 remote 192.0.2.1 dstport 4789'
const trialOptions: Readonly<Record<Kind, string>> = {
  vxlan: `vxlan ${udpTrial}`,
  geneve: `geneve ${udpTrial}`,
  wireguard: 'wireguard',
  esp: 'xfrm dev lo if_id 1',
}
const trialState = 'src 192.0.2.1 dst 192.0.2.2 proto esp spi 1'
const espTrial = [
  `xfrm state add ${trialState} ${AES_GCM} 0x${'00'.repeat(20)} 128 mode tunnel`,
  `xfrm state delete ${trialState}`,
]

/** Makes a device of each kind, reads its limit, and removes it again. ESP gets a key of zeros, which no packet uses. */
export const tunnelTrials = (['vxlan', 'geneve', 'wireguard', 'esp'] as const).map((kind): DeviceTrial => ({
  id: kind,
  title: `${tunnelName[kind]} devices can be made`,
  argv: ['ip', '-d', '-batch', '-'],
  input: text([
    `link add ${kind}-trial type ${trialOptions[kind]}`,
    `link show dev ${kind}-trial`,
    ...(kind === 'esp' ? espTrial : []),
    `link del ${kind}-trial`,
  ]),
  says: isEncrypted(kind) ? () => 'A device was made. It encrypts each packet of the MTU by itself.' : inWords,
  remedy: `Boot a kernel that has the module ${kind} (CONFIG_${kind.toUpperCase()}), load it, or choose the counted machine.`,
}))
