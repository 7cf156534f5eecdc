/**
 * Two captured packets side by side, before and after a translator: which fields of their headers stayed, changed, went or came,
 * and why (RFC 7915). Pure.
 */
import { i18n } from '../../base/language.ts'
import { formatIpv4, formatIpv6Bytes } from './addresses.ts'

const IPV4_HEADER = 20
const IPV6_HEADER = 40
const ICMP = 1
const TCP = 6
const UDP = 17
const FRAGMENT = 44
const ICMPV6 = 58

/** In the order in which they are shown: IPv4's fields, with IPv6's beside their counterparts. */
const fieldKeys = [
  'version',
  'headerLength',
  'trafficClass',
  'flowLabel',
  'length',
  'identification',
  'dontFragment',
  'moreFragments',
  'fragmentOffset',
  'hopLimit',
  'protocol',
  'headerChecksum',
  'source',
  'destination',
  'options',
  'sourcePort',
  'destinationPort',
  'type',
  'code',
  'checksum',
] as const
export type FieldKey = (typeof fieldKeys)[number]

export interface HeaderField {
  /** As the field's own specification calls it. */
  readonly name: string
  readonly value: string
}

type Fields = ReadonlyMap<FieldKey, HeaderField>
type Entry = readonly [FieldKey, HeaderField]

const entry = (key: FieldKey, name: string, value: string | number): Entry => [key, { name, value: String(value) }]
const hex = (value: number, digits: number): string => `0x${value.toString(16).padStart(digits, '0')}`

const protocolNames = new Map([
  [ICMP, 'ICMP'],
  [TCP, 'TCP'],
  [UDP, 'UDP'],
  [FRAGMENT, 'fragment header'],
  [ICMPV6, 'ICMPv6'],
])

function protocolText(number: number): string {
  const name = protocolNames.get(number)
  return name === undefined ? String(number) : `${number} (${name})`
}

function carried(view: DataView, at: number, protocol: number): Entry[] {
  if (protocol === TCP || protocol === UDP) {
    return [
      entry('sourcePort', 'source port', view.getUint16(at)),
      entry('destinationPort', 'destination port', view.getUint16(at + 2)),
      entry('checksum', 'checksum', hex(view.getUint16(at + (protocol === TCP ? 16 : 6)), 4)),
    ]
  }
  if (protocol !== ICMP && protocol !== ICMPV6) return []
  return [
    entry('type', 'type', view.getUint8(at)),
    entry('code', 'code', view.getUint8(at + 1)),
    entry('checksum', 'checksum', hex(view.getUint16(at + 2), 4)),
  ]
}

const yesOrNo = (is: boolean): string => (is ? i18n.t('yes') : i18n.t('no'))

const fragment = (identification: number, more: boolean, offset: number): Entry[] => [
  entry('identification', 'identification', hex(identification, 4)),
  entry('moreFragments', 'more fragments', yesOrNo(more)),
  entry('fragmentOffset', 'fragment offset', offset),
]

function ipv4Fields(head: Uint8Array, view: DataView): Entry[] {
  const headerBytes = (view.getUint8(0) & 0x0f) * 4
  const flags = view.getUint16(6)
  const offset = (flags & 0x1fff) * 8
  const protocol = view.getUint8(9)
  return [
    entry('version', 'version', 4),
    entry('headerLength', 'header length', headerBytes),
    entry('trafficClass', 'type of service', hex(view.getUint8(1), 2)),
    entry('length', 'total length', view.getUint16(2)),
    ...fragment(view.getUint16(4), (flags & 0x2000) !== 0, offset),
    entry('dontFragment', 'don’t fragment', yesOrNo((flags & 0x4000) !== 0)),
    entry('hopLimit', 'time to live', view.getUint8(8)),
    entry('protocol', 'protocol', protocolText(protocol)),
    entry('headerChecksum', 'header checksum', hex(view.getUint16(10), 4)),
    entry('source', 'source address', formatIpv4(head.slice(12, 16))),
    entry('destination', 'destination address', formatIpv4(head.slice(16, 20))),
    ...(headerBytes > IPV4_HEADER
      ? [entry('options', 'options', i18n.t('{count} bytes', { count: headerBytes - IPV4_HEADER }))]
      : []),
    ...(offset === 0 ? carried(view, headerBytes, protocol) : []),
  ]
}

function ipv6Fields(head: Uint8Array, view: DataView): Entry[] {
  const first = view.getUint32(0)
  const next = view.getUint8(6)
  const isFragment = next === FRAGMENT
  const place = isFragment ? view.getUint16(IPV6_HEADER + 2) : 0
  const protocol = isFragment ? view.getUint8(IPV6_HEADER) : next
  return [
    entry('version', 'version', 6),
    entry('trafficClass', 'traffic class', hex((first >>> 20) & 0xff, 2)),
    entry('flowLabel', 'flow label', hex(first & 0xfffff, 5)),
    entry('length', 'payload length', view.getUint16(4)),
    ...(isFragment ? fragment(view.getUint32(IPV6_HEADER + 4), (place & 1) !== 0, place & 0xfff8) : []),
    entry('hopLimit', 'hop limit', view.getUint8(7)),
    entry('protocol', 'next header', protocolText(protocol)),
    entry('source', 'source address', formatIpv6Bytes(head.slice(8, 24))),
    entry('destination', 'destination address', formatIpv6Bytes(head.slice(24, 40))),
    ...((place & 0xfff8) === 0 ? carried(view, IPV6_HEADER + (isFragment ? 8 : 0), protocol) : []),
  ]
}

/** @returns null if it is no IP packet, or cut off before the end of these headers */
function readFields(head: Uint8Array): Fields | null {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength)
  try {
    const version = view.getUint8(0) >> 4
    const least = version === 4 ? Math.max(IPV4_HEADER, (view.getUint8(0) & 0x0f) * 4) : IPV6_HEADER
    if ((version !== 4 && version !== 6) || head.length < least) return null
    return new Map(version === 4 ? ipv4Fields(head, view) : ipv6Fields(head, view))
  } catch (error) {
    // The capture ends before this field.
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Why a field is not the same in a packet of the other family. */
const reasons: Readonly<Record<FieldKey, string>> = {
  version: /*i18n*/ 'The other version of IP.',
  headerLength: /*i18n*/ 'The header of IPv6 always has 40 bytes, so it does not say its length.',
  trafficClass: /*i18n*/ 'A router on the way can mark a packet again.',
  flowLabel: /*i18n*/ 'Nothing of IPv4 stands for it: a translator writes 0, and leaves it out on the way back.',
  length: /*i18n*/ 'The total length of IPv4 counts the header, the payload length of IPv6 does not.',
  identification: /*i18n*/ 'IPv6 has it in the header of a fragment alone, and there it is twice as long.',
  dontFragment: /*i18n*/ 'Routers never cut a packet of IPv6, so it need not say so.',
  moreFragments: /*i18n*/ 'IPv6 has it in the header of a fragment alone.',
  fragmentOffset: /*i18n*/ 'IPv6 has it in the header of a fragment alone.',
  hopLimit: /*i18n*/ 'Each router on the way takes one, and so does the translator.',
  protocol: /*i18n*/ 'ICMP has another number in each family.',
  headerChecksum: /*i18n*/ 'IPv6 has none: the checksum of what it carries covers its addresses.',
  source: /*i18n*/ 'The translator writes the address that stands for the sender in the other family.',
  destination: /*i18n*/ 'The translator writes the address that stands for the receiver in the other family.',
  options: /*i18n*/ 'A translator leaves the options of IPv4 out.',
  sourcePort: /*i18n*/ 'A stateful translator takes another port where several clients share an address.',
  destinationPort: /*i18n*/ 'The translator sends it to another port, as its map says.',
  type: /*i18n*/ 'ICMP and ICMPv6 have other numbers for the same message.',
  code: /*i18n*/ 'ICMP and ICMPv6 have other numbers for the same message.',
  checksum: /*i18n*/ 'It covers the addresses, and the ports, so it changes with them.',
}

/** `went`: only the first packet has it. `came`: only the second packet has it. */
export type ChangeKind = 'stayed' | 'changed' | 'went' | 'came'

export interface HeaderChange {
  readonly key: FieldKey
  readonly kind: ChangeKind
  /** The field in each packet; null where it has none. */
  readonly before: HeaderField | null
  readonly after: HeaderField | null
  /** A sentence with the reason; null for a field that stayed. */
  readonly why: string | null
}

export const changeNames: Readonly<Record<ChangeKind, string>> = {
  stayed: /*i18n*/ 'stayed',
  changed: /*i18n*/ 'changed',
  went: /*i18n*/ 'only before',
  came: /*i18n*/ 'only after',
}

/** The field's name in each family, once if it is the same. */
export function fieldName({ before, after }: HeaderChange): string {
  const names = [before, after].flatMap((field) => (field === null ? [] : [field.name]))
  return [...new Set(names)].join(' / ')
}

function changeOf(key: FieldKey, before: HeaderField | null, after: HeaderField | null): HeaderChange {
  const kind = after === null ? 'went' : before === null ? 'came' : before.value === after.value ? 'stayed' : 'changed'
  return { key, kind, before, after, why: kind === 'stayed' ? null : i18n.t(reasons[key]) }
}

/**
 * A translator's changes to a packet, field by field. Between two packets of one family, the changes of NAT or routers.
 *
 * @param before the first bytes of the packet, from the IP header on
 * @param after the first bytes of the same packet behind the translator
 * @returns null if either is no IP packet, or is cut off inside its headers
 */
export function compareHeaders(before: Uint8Array, after: Uint8Array): readonly HeaderChange[] | null {
  const [first, second] = [readFields(before), readFields(after)]
  if (first === null || second === null) return null
  return fieldKeys.flatMap((key) => {
    const [had, has] = [first.get(key) ?? null, second.get(key) ?? null]
    return had === null && has === null ? [] : [changeOf(key, had, has)]
  })
}
