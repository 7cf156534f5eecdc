/** A connection from the client through the gateway: whether it is answered, and its request on both nodes. */
import { decodeIpPacket } from '@expresslane/shared/measure/packet'
import type { Family } from '@expresslane/shared/base/units'
import { CLIENT } from '@expresslane/shared/testbed/placement'
import { LabError } from '@expresslane/shared/base/errors'
import type { Watch } from '../../benchmarks/watch-frames.ts'
import { networkAt } from '../../tools/data-connection.ts'
import { transactionArgv } from '../../tools/netperf/nodeport.ts'
import { readNetperfLine } from '../../tools/netperf/output.ts'
import type { CapturedFrame } from '../../tools/tcpdump.ts'
import type { Pods, ProbeRun } from '../feature.ts'
import type { Way } from './reading.ts'

/** The port of netserver's control connection. */
export const CONTROL_PORT = 12_865
/** The port of the connection with the request. */
export const DATA_PORT = 12_866
/** Where nobody answers, netperf would wait for minutes. */
const SECONDS = 5
/** The kept bytes of a packet: an IPv6 header and a TCP header with all options. */
const HEAD_BYTES = 100

/** The called address, and the packets' way on both nodes. */
export interface Call {
  /** As netperf is given it. */
  readonly address: string
  /** The family that the client speaks; the server speaks the other family. */
  readonly family: Family
  readonly there: Way
  /** The server's way back. */
  readonly back: Way
}

/** The end of a call with a request and its response. */
export interface Answered {
  readonly ok: boolean
  /** In netperf's words where it says something that is not known. */
  readonly words: string
}

async function callOnce(address: string, { ask }: Pods): Promise<Answered> {
  const netperf = transactionArgv('TCP_CRR', { address, controlPort: CONTROL_PORT, dataPort: DATA_PORT })
  const { ok, lines } = await ask(CLIENT, ['timeout', String(SECONDS), ...netperf])
  if (ok) return { ok, words: 'a response came' }
  if (lines.some((line) => readNetperfLine(line).type === 'connect-failure')) return { ok, words: 'no connection' }
  const last = lines.findLast((line) => line.trim() !== '')
  return { ok, words: last ?? `no answer within ${SECONDS} s` }
}

/** The first packet with payload to the server. */
function isRequest({ bytes }: CapturedFrame): boolean {
  const ip = decodeIpPacket(bytes.subarray(networkAt(bytes)))
  return ip !== null && ip.destinationPort === DATA_PORT && (ip.statedLength ?? 0) > ip.headerBytes
}

const headOf = ({ bytes }: CapturedFrame): Uint8Array => bytes.subarray(networkAt(bytes)).subarray(0, HEAD_BYTES)

function watchOn({ node, route }: Way, of: Family): Watch[] {
  if (route === null) return []
  const filter = [of === 'ipv4' ? 'ip' : 'ip6', 'and', 'tcp', 'dst', 'port', String(DATA_PORT)]
  return [{ node, device: route.device, filter, isLast: isRequest }]
}

/** Who is in the request that a node has seen. */
export interface Ends {
  readonly source: string
  readonly destination: string
}

function endsOf(head: Uint8Array): Ends {
  const ip = decodeIpPacket(head)
  return { source: ip?.source ?? 'unknown', destination: ip?.destination ?? 'unknown' }
}

/** Calls once more while both nodes capture, and shows the request on both. @returns null where it was not seen on both */
async function follow({ address, family, there, back }: Call, { pods, capture, show }: ProbeRun): Promise<Ends | null> {
  const other = family === 'ipv4' ? 'ipv6' : 'ipv4'
  const watches = [...watchOn(there, family), ...watchOn(back, other)]
  const captured = await capture(watches, async () => {
    await callOnce(address, pods)
  }).catch((error: unknown) => {
    // The packets can take other devices than the routes say: that they were answered is known without it.
    if (error instanceof LabError && error.code === 'tool_failed') return null
    throw error
  })
  const [before, after] = captured?.frames.map((some) => some.find(isRequest)) ?? []
  if (before === undefined || after === undefined) return null
  const [sent, came] = [headOf(before), headOf(after)]
  const hex = (head: Uint8Array): string => Buffer.from(head).toString('hex')
  show({
    kind: 'packets',
    title: 'The request on both nodes',
    before: { where: `client’s node, ${there.node}, ${there.route?.device ?? ''}`, head: hex(sent) },
    after: { where: `server’s node, ${back.node}, ${back.route?.device ?? ''}`, head: hex(came) },
  })
  const [left, arrived] = [endsOf(sent), endsOf(came)]
  show({
    kind: 'table',
    title: 'One connection, as each node has it',
    columns: ['Seen on', 'Client', 'Server'],
    rows: [
      [there.node, left.source, left.destination],
      [back.node, arrived.source, arrived.destination],
    ],
    more: 0,
  })
  return arrived
}

/** The end of a call, and the addresses that the server saw. */
export interface Called extends Answered {
  /** Who the server saw; null if nobody answered, or the packets were not seen. */
  readonly arrived: Ends | null
}

/** Calls the server. If it answers, the call is repeated while both nodes capture it. */
export async function callThrough(call: Call, run: ProbeRun): Promise<Called> {
  const answered = await callOnce(call.address, run.pods)
  return { ...answered, arrived: answered.ok ? await follow(call, run) : null }
}
