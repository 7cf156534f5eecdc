/** Sends a message from pod to pod, and reads it on the wire between the nodes. */
import { halves, WIRE, WIREGUARD_PORT } from '@expresslane/shared/features/tunnel-path/places'
import { isEncrypted, tunnelIn, tunnelName } from '@expresslane/shared/features/tunnel-path/settings'
import { formatCount } from '@expresslane/shared/base/units'
import { CLIENT } from '@expresslane/shared/testbed/placement'
import { networkAt } from '../../tools/data-connection.ts'
import type { CapturedFrame } from '../../tools/tcpdump.ts'
import type { RunProbe } from '../feature.ts'

const [near, far] = halves
const MESSAGE = 'This message is a secret.'
/** One packet to a port where nobody listens. */
const send = `printf '%s' '${MESSAGE}' > /dev/udp/${far.ipv4.pod}/9`

const UDP = 17
const ESP = 50
const IP_HEADER = 20
const UDP_HEADER = 8
/** The type of a WireGuard message with a packet inside; the other types set up keys. */
const TRANSPORT = 4
/** Of such a message without a packet, which keeps the connection open. */
const EMPTY_BYTES = 32
const BYTES_SHOWN = 40

interface Seen {
  /** Its protocol in words. */
  readonly protocol: string
  /** Behind the headers that everybody on the wire can read. */
  readonly content: Uint8Array
  readonly isEncrypted: boolean
}

function read({ bytes: all }: CapturedFrame): Seen {
  const ip = all.subarray(networkAt(all))
  const [number, port] = [ip[9], new DataView(ip.buffer, ip.byteOffset).getUint16(IP_HEADER + 2)]
  if (number === ESP) return { protocol: 'ESP (IP protocol 50)', content: ip.subarray(IP_HEADER), isEncrypted: true }
  if (number !== UDP) return { protocol: `IP protocol ${number}`, content: ip.subarray(IP_HEADER), isEncrypted: false }
  const content = ip.subarray(IP_HEADER + UDP_HEADER)
  const wireguard = port === WIREGUARD_PORT && content[0] === TRANSPORT && content.length > EMPTY_BYTES
  return { protocol: `${wireguard ? 'WireGuard, ' : ''}UDP port ${port}`, content, isEncrypted: wireguard }
}

const text = (content: Uint8Array): string => Buffer.from(content).toString('latin1')

/** A readable message would be the last packet, too: it went around the encryption. */
function isMessage(frame: CapturedFrame): boolean {
  const { content, isEncrypted: encrypted } = read(frame)
  return encrypted || text(content).includes(MESSAGE)
}

export const message: RunProbe = async ({ arm, pods, show, capture }) => {
  const kind = tunnelIn(arm.settings)
  const encrypted = isEncrypted(kind)
  const filter = `ip and ( src host ${near.ipv4.pod} or src host ${near.ipv4.wire} )`.split(' ')
  const watch = { node: far.node, device: WIRE, filter, isLast: isMessage }
  const { frames } = await capture([watch], () => pods.run(CLIENT, ['bash', '-c', send]))
  const frame = frames[0]?.find(isMessage)
  const seen = frame === undefined ? null : read(frame)
  const content = seen === null ? '' : text(seen.content)
  const readable = content.includes(MESSAGE)
  show({
    kind: 'table',
    title: 'The message on the wire between the nodes',
    columns: ['Packet', 'Bytes', 'Beginning of its content'],
    rows: [
      [
        seen?.protocol ?? 'not seen',
        formatCount(frame?.length ?? 0),
        content.slice(0, BYTES_SHOWN).replaceAll(/[^\x20-\x7e]/g, '·'),
      ],
    ],
    more: 0,
  })
  return {
    sentence: encrypted
      ? `On the wire the message is ${seen?.protocol}, and nobody without the key can read it.`
      : 'Everybody on the wire can read the message.',
    observations: [
      {
        label: 'packet on the wire',
        expected: encrypted ? `encrypted by ${tunnelName[kind]}` : 'not encrypted',
        seen: seen?.protocol ?? 'not seen',
        ok: seen !== null && seen.isEncrypted === encrypted && (kind !== 'esp' || seen.protocol.startsWith('ESP')),
      },
      {
        label: 'the message in its bytes',
        expected: encrypted ? 'not readable' : 'readable',
        seen: readable ? 'readable' : 'not readable',
        ok: readable !== encrypted,
      },
    ],
  }
}
