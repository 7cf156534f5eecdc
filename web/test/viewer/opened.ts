/** A recording that comes with Expresslane, opened as the viewer opens it, without a worker. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readRecording } from '@expresslane/shared/recordings/file/check'
import { viewOf } from '@expresslane/shared/recordings/file/outline'
import { sessionId } from '@expresslane/shared/run/events'
import { formatTestbedId } from '@expresslane/shared/testbed/id'
import type { Opened } from '../../src/viewer/file/questions.ts'
import type { Reader } from '../../src/viewer/file/reader.ts'
import { measuredIn } from '../../src/viewer/source.ts'
import { createTimeline, foldWhileChecked, type Timeline } from '../../src/viewer/file/timeline.ts'

export const bytes = new Uint8Array(readFileSync(join(import.meta.dirname, '../../../recordings/big-tcp-ipv6.jsonl')))
const { take, folds } = foldWhileChecked()
const { outline } = readRecording(bytes, take)
const as = {
  sessionId: sessionId.parse('s_bigtcpipv6'),
  testbed: formatTestbedId({ kind: 'recording', context: 'big-tcp-ipv6', owner: null }),
  incarnation: 'recording-big-tcp-ipv6',
}
const file = { outline, size: bytes.length, read: (from: number, to: number) => bytes.subarray(from, to) }

export const timeline: Timeline = createTimeline(file, as, folds)
/** Without the runs that were folded while the file was checked. */
export const unfolded: Timeline = createTimeline(file, as)
export const opened: Opened = {
  ...as,
  view: viewOf(outline, 'big-tcp-ipv6', true),
  facts: { ...outline.facts, kind: 'recording', incarnation: as.incarnation },
  checks: [],
  runs: timeline.runs,
  lastsMs: timeline.lastsMs,
  result: timeline.runs.findLast(({ stepId }) => stepId === 'compare') ?? neverRun(),
  measured: measuredIn(timeline.moment(timeline.lastsMs).runs),
}

/** Answers in a later turn, as a worker does. */
export const reader: Reader = {
  async ask(name, asked) {
    await Promise.resolve()
    const answers: { [Name in keyof Timeline]?: (given: never) => unknown } = {
      moment: ({ at }: { at: number }) => timeline.moment(at),
      between: ({ after, until }: { after: number; until: number }) => timeline.between(after, until),
      whole: ({ run }: { run: Parameters<Timeline['whole']>[0] }) => timeline.whole(run),
      events: ({ run }: { run: Parameters<Timeline['events']>[0] }) => timeline.events(run),
    }
    const answer = answers[name as keyof Timeline]
    if (answer === undefined) throw new Error(`nobody asks for ${name} here`)
    return answer(asked as never) as never
  },
  close: () => undefined,
}

function neverRun(): never {
  throw new Error('the recording has no comparison')
}
