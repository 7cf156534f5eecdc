/** Reads iperf3's `--json-stream`: one object per line, from version 3.17 on. */
import { bitsPerSecond, bytes } from '@expresslane/shared/base/units'
import { z } from 'zod'
import { createWords, iperf3Failed, iperf3Unreadable } from './errors.ts'
import type { StreamInterval, StreamReader } from '../stream-reader.ts'

const count = z.number().int().nonnegative()
const stretch = { start: z.number().nonnegative(), end: z.number().nonnegative(), bits_per_second: bitsPerSecond }

/** Lists only the fields that are read. Additions of newer versions are ignored. */
const printed = z.discriminatedUnion('event', [
  z.object({ event: z.literal('start') }),
  z.object({
    event: z.literal('interval'),
    data: z.object({
      streams: z.array(z.object({ snd_cwnd: bytes.optional() })),
      sum: z.object({
        ...stretch,
        seconds: z.number().nonnegative(),
        bytes: count,
        retransmits: count.optional(),
        omitted: z.boolean(),
      }),
    }),
  }),
  z.object({
    event: z.literal('end'),
    data: z.object({
      // Empty after an error.
      sum_sent: z.object({ retransmits: count.optional() }).optional(),
      sum_received: z.object(stretch).optional(),
    }),
  }),
  z.object({ event: z.literal('error'), data: z.string() }),
])
type Printed = z.infer<typeof printed>

/** Parses a line; null for a line that is not one of iperf3's objects. */
function readLine(line: string): Printed | null {
  try {
    return printed.safeParse(JSON.parse(line)).data ?? null
  } catch {
    return null
  }
}

/** @param omitSeconds the value of `-O`, after which iperf3's clock restarts */
export function createIperf3JsonReader(omitSeconds: number): StreamReader {
  const words = createWords()
  let error: string | null = null
  let end: Extract<Printed, { event: 'end' }>['data'] | null = null
  let payloadBytes = 0

  return {
    read(line): StreamInterval | null {
      words.add(line)
      const one = readLine(line)
      if (one?.event === 'error') error = one.data
      if (one?.event === 'end') end = one.data
      if (one?.event !== 'interval') return null
      const { streams, sum } = one.data
      payloadBytes += sum.bytes
      if (sum.seconds <= 0) return null
      return {
        atSeconds: sum.end + (sum.omitted ? 0 : omitSeconds),
        seconds: sum.seconds,
        bitsPerSecond: sum.bits_per_second,
        retransmits: sum.retransmits ?? null,
        cwnd: streams[0]?.snd_cwnd ?? null,
        omitted: sum.omitted,
      }
    },
    finish(ended) {
      const said = words.text()
      if (ended.code !== 0 || error !== null) throw iperf3Failed(ended, error ?? said)
      const received = end?.sum_received
      if (received === undefined) throw iperf3Unreadable('its summary is missing', said)
      const elapsedSeconds = received.end - received.start
      if (elapsedSeconds <= 0) throw iperf3Unreadable('its summary covers no time', said)
      const retransmits = end?.sum_sent?.retransmits ?? null
      return { throughput: received.bits_per_second, elapsedSeconds, retransmits, payloadBytes }
    },
  }
}
