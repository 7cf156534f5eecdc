/** Sends a message from pod to pod, and reads it on the wire between the nodes. */
import { halves, WIRE, WIREGUARD_PORT } from '@expresslane/shared/features/tunnel-path/places'
import { isEncrypted, tunnelIn, tunnelName, type TunnelKind } from '@expresslane/shared/features/tunnel-path/settings'
import { formatCount } from '@expresslane/shared/base/units'
import type { Exhibit } from '@expresslane/shared/run/exhibit'
import { CLIENT } from '@expresslane/shared/testbed/placement'
import { networkAt } from '../../tools/data-connection.ts'
import type { CapturedFrame } from '../../tools/tcpdump.ts'
import type { ProbeOutcome, RunProbe } from '../feature.ts'

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
/** The length of a keepalive: a transport message without a packet. */
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

/** @param frame the packet with the message, as it passed the wire; undefined where none was seen */
export function judgeMessage(
  kind: TunnelKind,
  frame: CapturedFrame | undefined,
): ProbeOutcome & { readonly shown: Exhibit } {
  const encrypted = isEncrypted(kind)
  const seen = frame === undefined ? null : read(frame)
  const content = seen === null ? '' : text(seen.content)
  const readable = content.includes(MESSAGE)
  const packet = seen?.protocol ?? 'not seen'
  const beginning = content.slice(0, BYTES_SHOWN).replaceAll(/[^\x20-\x7e]/g, '·')
  return {
    shown: {
      kind: 'table',
      title: 'The message on the wire between the nodes',
      columns: ['Packet', 'Bytes', 'Beginning of its content'],
      rows: [[packet, formatCount(frame?.length ?? 0), beginning]],
      more: 0,
    },
    sentence: encrypted
      ? `On the wire the message is ${packet}, and nobody without the key can read it.`
      : 'Everybody on the wire can read the message.',
    observations: [
      {
        label: 'packet on the wire',
        expected: encrypted ? `encrypted by ${tunnelName[kind]}` : 'not encrypted',
        seen: packet,
        ok: encrypted ? packet.startsWith(tunnelName[kind]) : seen?.isEncrypted === false,
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

export const message: RunProbe = async ({ arm, pods, show, capture }) => {
  const filter = `ip and ( src host ${near.ipv4.pod} or src host ${near.ipv4.wire} )`.split(' ')
  const watch = { node: far.node, device: WIRE, filter, isLast: isMessage }
  const { frames } = await capture([watch], () => pods.run(CLIENT, ['bash', '-c', send]))
  const { shown, ...outcome } = judgeMessage(tunnelIn(arm.settings), frames[0]?.find(isMessage))
  show(shown)
  return outcome
}
