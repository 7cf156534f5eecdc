/** The headers of a captured packet, field by field, with explanations. Pure. */
import { i18n } from '@expresslane/shared/base/language'
import type { CapturedPacket } from '@expresslane/shared/measure/capture'
import { bytesOfHex, decodeIpPacket, type IpPacket, type JumboHeader } from '@expresslane/shared/measure/packet'
import { formatCount } from '@expresslane/shared/base/units'

export interface Field {
  readonly name: string
  readonly value: string
  /** An explanation; null if the name is enough. */
  readonly words: string | null
  /** Whether BIG TCP changes this field. */
  readonly notable: boolean
}

export interface Header {
  readonly title: string
  readonly fields: readonly Field[]
}

const HOP_BY_HOP = 0
const protocolNames = new Map([
  [HOP_BY_HOP, /*i18n*/ 'hop-by-hop options'],
  [6, 'TCP'],
])

function field(name: string, value: string, words: string | null = null, notable = false): Field {
  return { name, value, words, notable }
}

function protocol(number: number): string {
  const name = protocolNames.get(number)
  return name === undefined ? String(number) : `${number} (${i18n.t(name)})`
}

function hex(value: number): string {
  return `0x${value.toString(16).padStart(2, '0')}`
}

function ipv4Header(ip: IpPacket, { length }: CapturedPacket): Header {
  const zero = ip.lengthField === 0
  const words = zero
    ? i18n.t('Zero: {length} bytes do not fit into 16 bits. The kernel takes the length from its packet buffer.', {
        length: formatCount(length),
      })
    : i18n.t('The length of the whole packet. With 16 bits it can’t be more than 65,535.')
  return {
    title: i18n.t('IPv4 header, 20 bytes'),
    fields: [
      field(i18n.t('Total length (tot_len)'), formatCount(ip.lengthField), words, zero),
      field(i18n.t('Protocol'), protocol(ip.nextHeader)),
      field(i18n.t('Time to live'), String(ip.hopLimit)),
      field(i18n.t('From'), ip.source),
      field(i18n.t('To'), ip.destination),
    ],
  }
}

function ipv6Header(ip: IpPacket): Header {
  const zero = ip.lengthField === 0
  const words = zero
    ? ip.jumbo === null
      ? i18n.t('Zero: from Linux 7 on the kernel takes the length from its packet buffer.')
      : i18n.t('Zero: the length is in the hop-by-hop header.')
    : i18n.t('The bytes after this header. With 16 bits it can’t be more than 65,535.')
  const options = ip.nextHeader === HOP_BY_HOP
  return {
    title: i18n.t('IPv6 header, 40 bytes'),
    fields: [
      field(i18n.t('Payload length'), formatCount(ip.lengthField), words, zero),
      field(
        i18n.t('Next header'),
        protocol(ip.nextHeader),
        options ? i18n.t('Another header comes before TCP.') : null,
        options,
      ),
      field(i18n.t('Hop limit'), String(ip.hopLimit)),
      field(i18n.t('From'), ip.source),
      field(i18n.t('To'), ip.destination),
    ],
  }
}

function jumboHeader({ nextHeader, headerBytes, optionType, optionBytes, jumbo }: JumboHeader): Header {
  const rest = jumbo - headerBytes
  return {
    title: i18n.t('Hop-by-hop header, {bytes} bytes', { bytes: headerBytes }),
    fields: [
      field(i18n.t('Next header'), protocol(nextHeader)),
      field(
        i18n.t('Header length'),
        String(headerBytes / 8 - 1),
        i18n.t('In units of 8 bytes, without the first 8: {bytes} bytes.', { bytes: headerBytes }),
      ),
      field(i18n.t('Option type'), hex(optionType), i18n.t('Jumbo payload (RFC 2675).'), true),
      field(i18n.t('Option length'), String(optionBytes), i18n.t('In bytes, so the length has 32 bits.')),
      field(
        i18n.t('Jumbo payload length'),
        formatCount(jumbo),
        i18n.t('{bytes} bytes of this header and {rest} bytes of TCP.', {
          bytes: headerBytes,
          rest: formatCount(rest),
        }),
        true,
      ),
    ],
  }
}

function tcpHeader(ip: IpPacket, { flags, payload }: CapturedPacket): Header {
  const bare = payload === 0
  return {
    title: i18n.t('TCP header'),
    fields: [
      field(i18n.t('Ports'), `${ip.sourcePort} → ${ip.destinationPort}`),
      field(
        i18n.t('Flags'),
        flags,
        bare ? i18n.t('An acknowledgement without data.') : i18n.t('Data. The dot acknowledges earlier data.'),
      ),
      field(i18n.t('Payload'), i18n.t('{size} bytes', { size: formatCount(payload) }), null, payload > 65_535),
    ],
  }
}

/** The headers in order; empty if the captured bytes can't be decoded. */
export function packetHeaders(packet: CapturedPacket): Header[] {
  const bytes = bytesOfHex(packet.head)
  const ip = bytes === null ? null : decodeIpPacket(bytes)
  if (ip === null) return []
  const network = ip.version === 4 ? [ipv4Header(ip, packet)] : [ipv6Header(ip)]
  return [...network, ...(ip.jumbo === null ? [] : [jumboHeader(ip.jumbo)]), tcpHeader(ip, packet)]
}

/** The captured bytes as tcpdump prints them: 16 per line, in pairs. */
export function hexLines(head: string): string[] {
  return (head.match(/.{1,32}/g) ?? []).map((line) => (line.match(/.{1,4}/g) ?? []).join(' '))
}
