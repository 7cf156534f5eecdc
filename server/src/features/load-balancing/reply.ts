/** Follows a reply from the backend to the client, and counts the packets that the balancer had. */
import { client, DEVICE, hosts, PORT, SERVICE } from '@expresslane/shared/features/load-balancing/places'
import { BALANCER } from '@expresslane/shared/features/load-balancing/roles'
import { balancingIn } from '@expresslane/shared/features/load-balancing/settings'
import { decodeIpPacket } from '@expresslane/shared/measure/packet'
import { bytes } from '@expresslane/shared/base/units'
import { CLIENT, podOf, SERVER } from '@expresslane/shared/testbed/placement'
import { networkAt } from '../../tools/data-connection.ts'
import { transactionsArgv } from '../../tools/netperf/netperf.ts'
import type { CapturedFrame } from '../../tools/tcpdump.ts'
import type { RunProbe } from '../feature.ts'
import { packetsAtBalancer } from './watch.ts'

const TRANSACTIONS = 1_000
const oneByte = { requestBytes: bytes.parse(1), responseBytes: bytes.parse(1) }
/** Halfway between a packet for each request alone, and one for its response, too. */
const BOTH_WAYS = 1.5

/** One byte to the service and back. */
const echoOnce = `exec 3<>/dev/tcp/${SERVICE}/${PORT} && printf x >&3 && read -r -N 1 -t 5 -u 3`

const packetOf = ({ bytes: all }: CapturedFrame): ReturnType<typeof decodeIpPacket> =>
  decodeIpPacket(all.subarray(networkAt(all)))

/** The reply itself, and no acknowledgement. */
function isReply(frame: CapturedFrame): boolean {
  const ip = packetOf(frame)
  return ip !== null && ip.sourcePort === PORT && (ip.statedLength ?? 0) > ip.headerBytes
}

/** The place whose device sent the frame. */
function senderOf({ bytes: all }: CapturedFrame): string {
  const mac = [...all.subarray(6, 12)].map((byte) => byte.toString(16).padStart(2, '0')).join(':')
  return hosts.find((one) => one.mac === mac)?.name ?? mac
}

export const reply: RunProbe = async ({ arm, pods, show, capture }) => {
  const isDirect = balancingIn(arm.settings).replies === 'direct'
  const server = podOf(pods.placement, SERVER)?.name ?? SERVER
  const places = [server, client.name]
  const watches = places.map((node) => ({
    node,
    device: DEVICE,
    filter: ['tcp', 'src', 'port', `${PORT}`],
    isLast: isReply,
  }))
  const { frames } = await capture(watches, () => pods.run(CLIENT, ['bash', '-c', echoOnce]))
  const replies = frames.map((some) => some.find(isReply))
  const seen = replies.map((frame) => ({
    source: frame === undefined ? 'not seen' : (packetOf(frame)?.source ?? 'unknown'),
    sender: frame === undefined ? 'not seen' : senderOf(frame),
  }))
  show({
    kind: 'table',
    title: 'One reply, where it leaves and where it arrives',
    columns: ['Seen at', 'Source address', 'Sent by the device of'],
    rows: places.map((place, at) => [place, seen[at]?.source ?? '', seen[at]?.sender ?? '']),
    more: 0,
  })
  const before = await packetsAtBalancer(pods)
  await pods.run(CLIENT, transactionsArgv({ address: SERVICE, ...oneByte }, TRANSACTIONS))
  const each = ((await packetsAtBalancer(pods)) - before) / TRANSACTIONS
  const arrived = { address: seen[1]?.source ?? '', by: seen[1]?.sender ?? '' }
  const by = isDirect ? server : BALANCER
  return {
    sentence: `The reply comes from ${SERVICE}, and ${by} has sent it. The balancer had ${each.toFixed(2)} packets for each transaction.`,
    observations: [
      {
        label: 'source address of the reply at the client',
        expected: SERVICE,
        seen: arrived.address,
        ok: arrived.address === SERVICE,
      },
      { label: 'who sent it to the client', expected: by, seen: arrived.by, ok: arrived.by === by },
      {
        label: `packets at the balancer for each of ${TRANSACTIONS.toLocaleString('en')} transactions`,
        expected: `${isDirect ? '<' : '≥'} ${BOTH_WAYS}`,
        seen: each.toFixed(2),
        ok: isDirect ? each < BOTH_WAYS : each >= BOTH_WAYS,
      },
    ],
  }
}
