/** Reads the lines of the NodePort helper: one JSON object each, as `server/native/README.md` describes them. */
import { LabError } from '@expresslane/shared/base/errors'
import { z } from 'zod'

export const count = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER)
export const id = z.number().int().positive()
export const pid = z.number().int().positive()
/** A failed system call. */
export const failedCall = {
  call: z.string().optional(),
  errno: z.string().optional(),
  number: z.number().int().optional(),
}

/** Counters of one forwarder: `runs` is the sum of `forwarded`, `replies` and all that begin with `passed`. */
const forwarderCounts = z.object({
  runs: count,
  forwarded: count,
  replies: count,
  newFlows: count,
  portsChanged: count,
  passedOther: count,
  passedProtocol: count,
  passedFragment: count,
  passedOptions: count,
  passedExpired: count,
  passedMalformed: count,
  passedUnroutable: count,
  passedNoPort: count,
})
export type ForwarderCounts = z.infer<typeof forwarderCounts>

export const hook = z.enum(['xdp', 'tcx', 'tc'])
const forwardCounters = z.object({
  type: z.enum(['counters', 'end']),
  of: z.literal('forward'),
  hook,
  /** CLOCK_MONOTONIC. */
  atNs: count,
  /** Entries in the kernel's map: an entry for each port, protocol and family. */
  services: count,
  programs: z.object({ xdp: forwarderCounts, tc: forwarderCounts }),
})
export type ForwardCounters = z.infer<typeof forwardCounters>

const sent = {
  /** Since the first packet was due. */
  atNs: count,
  /** The packets that the rate asks for until then. */
  offered: count,
  sent: count,
  /** Times that the device's queue was full; the packet was sent again. */
  refused: count,
  /** CPU time of the sending thread, with all that the kernel does in its context. */
  cpuNs: count,
  /** The part of it that waited for the next packet's time. */
  spinNs: count,
}
const generatorLine = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('ready'),
    method: z.enum(['xdp', 'ring']),
    pid,
    device: z.string(),
    flows: count,
    size: count,
  }),
  z.object({ type: z.literal('progress'), ...sent }),
  z.object({ type: z.literal('end'), ended: z.enum(['time', 'signal', 'flows']), flows: count, ...sent }),
])
export type GeneratorLine = z.infer<typeof generatorLine>

const sinkLine = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('ready'),
    method: z.enum(['xdp', 'socket']),
    pid,
    device: z.string(),
    programId: id.optional(),
  }),
  z.object({ type: z.literal('counters'), of: z.literal('sink'), atNs: count, packets: count }),
  z.object({ type: z.literal('end'), of: z.literal('sink'), atNs: count, packets: count }),
])

const echoLine = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), pid, port: count }),
  z.object({ type: z.literal('peer'), protocol: z.enum(['tcp', 'udp']), address: z.string(), port: count }),
  z.object({ type: z.literal('end') }),
])

const handshakeFailure = z.object({
  ok: z.literal(false),
  code: z.enum(['refused', 'unreachable', 'timeout', 'different', 'closed', 'failed']),
  ...failedCall,
})
const tcpShake = z.object({ ok: z.literal(true), connectNs: count, echoNs: count })
const udpShake = z.object({ ok: z.literal(true), echoNs: count })
const handshake = z.object({
  type: z.literal('handshake'),
  ok: z.boolean(),
  address: z.string(),
  port: count,
  /** Null: it was not asked for. */
  tcp: z.discriminatedUnion('ok', [tcpShake, handshakeFailure]).nullable(),
  udp: z.discriminatedUnion('ok', [udpShake, handshakeFailure]).nullable(),
})

const device = z.object({
  type: z.literal('device'),
  name: z.string(),
  ifindex: id,
  kind: z.string(),
  mac: z.string(),
  mtu: count,
  gro: z.boolean(),
  txChecksum: z.boolean(),
  /** Null: sysfs can't be read here. */
  threaded: z.boolean().nullable(),
  /** Null: there is none. */
  xdp: z.object({ mode: z.enum(['native', 'generic', 'offload']), programId: id }).nullable(),
  /** Null: this user may not ask, or the kernel has no tcx. */
  tcx: z.array(z.object({ programId: id, linkId: count })).nullable(),
  tc: z.array(z.object({ programId: id, name: z.string() })),
})
export type DeviceReading = z.infer<typeof device>

const helperError = z.object({
  type: z.literal('error'),
  code: z.enum([
    'bad_arguments',
    'bad_services',
    'bad_rules',
    'bad_table',
    'bad_frame',
    'initial_namespace',
    'no_device',
    'wrong_device',
    'no_address',
    'no_neighbour',
    'busy',
    'denied',
    'unsupported',
    'not_running',
    'failed',
  ]),
  message: z.string(),
  argument: z.string().optional(),
  device: z.string().optional(),
  at: count.optional(),
  ...failedCall,
})
export type HelperError = z.infer<typeof helperError>

function fromJson<Line>(schema: z.ZodType<Line>, text: string): Line | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/** A parser that throws LabError `tool_output_unreadable` for any other line. */
export function reader<Line>(schema: z.ZodType<Line>): (line: string) => Line {
  return (line) => {
    const read = fromJson(schema, line)
    if (read !== null) return read
    throw new LabError(
      'tool_output_unreadable',
      'The NodePort helper printed a line that this version does not know.',
      'Check that server/native/bin belongs to this version of Expresslane.',
      { detail: line.slice(0, 2000) },
    )
  }
}

export const parseForwardCounters = reader(forwardCounters)
export const parseGeneratorLine = reader(generatorLine)
export const parseSinkLine = reader(sinkLine)
export const parseEchoLine = reader(echoLine)
export const parseHandshake = reader(handshake)
export const parseDevice = reader(device)

/** The error line among the lines on stderr; null if there is none. */
export function findHelperError(lines: readonly string[]): HelperError | null {
  for (const line of lines) {
    const error = fromJson(helperError, line)
    if (error !== null) return error
  }
  return null
}
