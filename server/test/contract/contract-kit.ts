/** Helpers of the contract's tests: run commands on a testbed, measure on it, and record its events. */
import type { RunEvent } from '@expresslane/shared/run/events'
import {
  type PacketRate,
  packetRate,
  parseTcpCounters,
  tcpCountersArgv,
  type PairCounters,
  type PodCounters,
} from '../../src/tools/tcp-counters.ts'
import type { DatapathState, Reading } from '@expresslane/shared/testbed/reading'
import type { Role } from '@expresslane/shared/testbed/placement'
import { bytes, type Bytes } from '@expresslane/shared/base/units'
import { linkShowArgv, parseLinks } from '../../src/tools/ip-link.ts'
import { countedTcpRrArgv, createTcpRrReader, type TcpRrResult } from '../../src/tools/netperf/netperf.ts'
import type { Ended } from '../../src/tools/netperf/output.ts'
import type { Target } from '../../src/testbeds/target.ts'
import type { CallContext, Testbed } from '../../src/testbeds/testbed.ts'

/** The labs' message: two packets under 64 KiB, one under BIG TCP. */
export const MESSAGE: Bytes = bytes.parse(80_000)

export interface Noted extends CallContext {
  readonly events: readonly RunEvent[]
}

/** A context that records events. */
export function note(signal: AbortSignal = new AbortController().signal): Noted {
  const events: RunEvent[] = []
  return { signal, events, emit: (event) => void events.push(event) }
}

/** An event's progress as one line, its subject first; null for other events. */
export function progressLine(event: RunEvent): string | null {
  if (event.type !== 'progress') return null
  return event.subject === null ? event.message : `${event.subject}: ${event.message}`
}

export interface Ran {
  readonly stdout: readonly string[]
  readonly stderr: readonly string[]
  readonly ended: Ended
}

/** Runs a command until it ends. */
export async function run(
  testbed: Testbed,
  target: Target,
  argv: readonly string[],
  context: CallContext = note(),
): Promise<Ran> {
  const stdout: string[] = []
  const stderr: string[] = []
  let ended: Ended | null = null
  for await (const item of testbed.exec(target, argv, context)) {
    if (ended !== null) throw new Error('something came after the exit')
    if (item.type === 'exit') ended = item
    else (item.stream === 'stdout' ? stdout : stderr).push(item.text)
  }
  if (ended === null) throw new Error('the exit is missing')
  return { stdout, stderr, ended }
}

async function countersOf(testbed: Testbed, role: Role): Promise<PodCounters> {
  const links = parseLinks((await run(testbed, role, linkShowArgv('eth0'))).stdout.join('\n'))
  const device = links[0]?.counters
  if (device === undefined || device === null) throw new Error(`${role} has no counters`)
  return { device, tcp: parseTcpCounters((await run(testbed, role, tcpCountersArgv)).stdout.join('\n')) }
}

async function pairCounters(testbed: Testbed): Promise<PairCounters> {
  return { client: await countersOf(testbed, 'client'), server: await countersOf(testbed, 'server') }
}

/** Runs netperf at the client, with any test of transactions. */
export async function netperfAt(testbed: Testbed, argv: readonly string[]): Promise<TcpRrResult> {
  const reader = createTcpRrReader()
  const { stdout, ended } = await run(testbed, 'client', argv)
  for (const line of stdout) reader.read(line)
  return reader.finish(ended)
}

export interface Measured {
  readonly result: TcpRrResult
  readonly packets: PacketRate
}

/**
 * Enough that the packets of netperf's control connection, some 30, are less than half a packet of each transaction, and
 * that a fast machine needs more than the 5 ms that netperf rounds to an ELAPSED_TIME of 0.00.
 */
const TRANSACTIONS = 400

/** A short TCP_RR. @param message bytes of a request, and of a response */
export async function measure(testbed: Testbed, address: string, message: Bytes = MESSAGE): Promise<Measured> {
  const before = await pairCounters(testbed)
  const sizes = { address, requestBytes: message, responseBytes: message }
  const result = await netperfAt(testbed, countedTcpRrArgv(sizes, TRANSACTIONS))
  const packets = packetRate(before, await pairCounters(testbed), TRANSACTIONS)
  if (packets === null) throw new Error('the counters do not belong together')
  return { result, packets }
}

/** The devices that switching changes at once, and those that a redeploy changes. */
export function sides({ kernel }: DatapathState): {
  readonly nodes: readonly Reading[]
  readonly pods: readonly Reading[]
} {
  const ends = kernel.filter(({ role }) => role !== 'wire')
  return { nodes: ends.filter(({ native }) => native), pods: ends.filter(({ native }) => !native) }
}
