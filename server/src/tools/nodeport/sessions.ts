/** The sessions of the stateful translator: the native helper lists its map. */
import { z } from 'zod'
import { argv } from './argv.ts'
import { count, reader } from './lines.ts'

/** Lists them in no order, at most so many. There must be a translator in this network namespace. */
export const sessionsArgv = (most: number): string[] => argv('translate-sessions', { most })

/** A packet's ends. An ICMP echo has its identifier as the port of the side that asks, and 0 as the other port. */
const ends = z.object({ source: z.string(), sourcePort: count, destination: z.string(), destinationPort: count })

const session = z.object({
  type: z.literal('session'),
  protocol: z.enum(['tcp', 'udp', 'icmp']),
  /** The family of the side that began it. */
  from: z.enum(['ipv4', 'ipv6']),
  /** The ends of that side's packets, in both families. */
  ipv6: ends,
  ipv4: ends,
  /** The state of a TCP session; null for other protocols, which have none. */
  state: z.enum(['opening', 'established', 'closing', 'closed', 'reset']).nullable(),
  /** Since its last packet. */
  idleNs: count,
  /** The idle time after which the session ends. */
  timeoutSeconds: count,
})
export type TranslatedSession = z.infer<typeof session>

const line = z.discriminatedUnion('type', [
  session,
  z.object({
    type: z.literal('sessions'),
    live: count,
    /** The sessions in the map whose time is up: they are there until their place is needed. */
    ended: count,
  }),
])
const parseLine = reader(line)

export interface TranslatedSessions {
  /** The listed sessions, which can be fewer than the live sessions. */
  readonly sessions: readonly TranslatedSession[]
  /** How many there are. */
  readonly live: number
}

/** Reads the output of {@link sessionsArgv}. @throws LabError `tool_output_unreadable` */
export function parseSessions(lines: readonly string[]): TranslatedSessions {
  const sessions: TranslatedSession[] = []
  let live = 0
  for (const text of lines) {
    const read = parseLine(text)
    if (read.type === 'session') sessions.push(read)
    else live = read.live
  }
  return { sessions, live }
}
