/** A stream with pings beside it, and responses after a pause. */
import { i18n } from '../../base/language.ts'
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
  caption: /*i18n*/ 'ping in ms',
  note: /*i18n*/ 'The pings come ten times a second, so that they do not load the path themselves. Those of the first second do not count.',
  wholeSeconds: true,
  // fq and netem remember the stream before, and each path has losses of its own.
  freshPods: true,
} as const

export const streamAndPings = defineTool({
  ...both,
  tool: 'stream-and-pings',
  name: /*i18n*/ 'Stream and pings',
  does: /*i18n*/ 'one stream, and pings from the same pod',
  schema: streamAndPingsBenchmark,
  compared: ['streamRate', 'streamPing', 'retransmits'],
  usual: { tool: 'stream-and-pings' },
  subject: (_of: Benchmark, family: Family) => i18n.t('a stream over {family}', { family: familyName[family] }),
})

export const pingsBesideStream = defineTool({
  ...both,
  tool: 'pings-beside-stream',
  name: /*i18n*/ 'Pings beside a stream',
  does: /*i18n*/ 'pings from a pod that sends one stream',
  schema: pingsBesideStreamBenchmark,
  compared: ['streamPing', 'streamRate', 'retransmits'],
  usual: { tool: 'pings-beside-stream' },
  subject: (_of: Benchmark, family: Family) =>
    i18n.t('a ping beside a stream over {family}', { family: familyName[family] }),
})

export const afterPause = defineTool({
  tool: 'after-pause',
  name: /*i18n*/ 'Response after a pause',
  does: /*i18n*/ 'a large response on a connection that was silent',
  schema: afterPauseBenchmark,
  compared: ['pausedResponse', 'readyResponse'],
  live: 'pausedResponse',
  caption: /*i18n*/ 'response in ms',
  describe: (of) => {
    const { data } = afterPauseBenchmark.safeParse(of)
    return data === undefined
      ? null
      : {
          label: i18n.t('Response'),
          value: i18n.t('{bytes} bytes after {seconds} s of silence', {
            bytes: formatCount(RESPONSE_BYTES),
            seconds: data.pauseSeconds,
          }),
        }
  },
  note: /*i18n*/ 'The length of a run is that of its pauses, whatever seconds are asked for.',
  usual: { tool: 'after-pause', pauseSeconds: 10 },
  subject: (_of: Benchmark, family: Family) =>
    i18n.t('a response after a pause over {family}', { family: familyName[family] }),
  freshPods: true,
  waits: 30,
  capability: 'long-path',
})
