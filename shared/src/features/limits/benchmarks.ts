/** A stream with pings beside it, and responses after a pause. */
import { z } from 'zod'
import { defineTool, type Benchmark } from '../../measure/benchmark.ts'
import { familyName, formatCount, type Family } from '../../base/units.ts'

/** Pings of the first second are left out: TCP is still finding the rate. */
export const PINGS_A_SECOND = 10

export const streamAndPingsBenchmark = z.strictObject({ tool: z.literal('stream-and-pings') })
export const pingsBesideStreamBenchmark = z.strictObject({ tool: z.literal('pings-beside-stream') })
export const afterPauseBenchmark = z.strictObject({
  tool: z.literal('after-pause'),
  pauseSeconds: z.number().int().min(0).max(60).default(10),
})

/** The bytes of a response. */
export const RESPONSE_BYTES = 1_000_000
/** Responses of a run after a pause; twice as many come first, without one. */
export const RESPONSES = 3

/** Both tools run alike: the first is about the rate, the second about the ping. */
const both = {
  figures: ['streamRate', 'streamPing', 'retransmits'],
  columns: ['streamRate', 'streamPing', 'leastPing', 'retransmits', 'limiterDropped', 'pathDropped'],
  brief: ['streamRate', 'streamPing'],
  live: 'streamPing',
  caption: 'ping in ms',
  note: 'The pings come ten times a second, so that they do not load the path themselves. Those of the first second do not count.',
  wholeSeconds: true,
  // fq and netem remember the stream before, and each path has losses of its own.
  freshPods: true,
} as const

export const streamAndPings = defineTool({
  ...both,
  tool: 'stream-and-pings',
  name: 'Stream and pings',
  does: 'one stream, and pings from the same pod',
  schema: streamAndPingsBenchmark,
  compared: ['streamRate', 'streamPing', 'retransmits'],
  usual: { tool: 'stream-and-pings' },
  subject: (_of: Benchmark, family: Family) => `a stream over ${familyName[family]}`,
})

export const pingsBesideStream = defineTool({
  ...both,
  tool: 'pings-beside-stream',
  name: 'Pings beside a stream',
  does: 'pings from a pod that sends one stream',
  schema: pingsBesideStreamBenchmark,
  compared: ['streamPing', 'streamRate', 'retransmits'],
  usual: { tool: 'pings-beside-stream' },
  subject: (_of: Benchmark, family: Family) => `a ping beside a stream over ${familyName[family]}`,
})

export const afterPause = defineTool({
  tool: 'after-pause',
  name: 'Response after a pause',
  does: 'a large response on a connection that was silent',
  schema: afterPauseBenchmark,
  compared: ['pausedResponse', 'readyResponse'],
  live: 'pausedResponse',
  caption: 'response in ms',
  describe: (of) => {
    const { data } = afterPauseBenchmark.safeParse(of)
    return data === undefined
      ? null
      : { label: 'Response', value: `${formatCount(RESPONSE_BYTES)} bytes after ${data.pauseSeconds} s of silence` }
  },
  note: 'The length of a run is that of its pauses, whatever seconds are asked for.',
  usual: { tool: 'after-pause', pauseSeconds: 10 },
  subject: (_of: Benchmark, family: Family) => `a response after a pause over ${familyName[family]}`,
  freshPods: true,
  waits: 30,
  capability: 'long-path',
})
