/** The worker that has a recording: it checks the file, and works out the state of its runs at a time. */
import { LabError } from '@expresslane/shared/base/errors'
import { eventsIn } from '@expresslane/shared/recordings/file/events'
import { readRecording } from '@expresslane/shared/recordings/file/check'
import { viewOf, type Outline } from '@expresslane/shared/recordings/file/outline'
import { RESET_STEP, sessionId } from '@expresslane/shared/run/events'
import { formatTestbedId } from '@expresslane/shared/testbed/id'
import { isOpen } from '@expresslane/shared/run/run-state'
import type { Answer, Question } from '@expresslane/shared/wire/questions'
import { z } from 'zod'
import { measuredIn } from '../source.ts'
import type { Opened, QuestionName, Questions } from './questions.ts'
import { createTimeline, foldWhileChecked, type PlayedAs, type TimedRun, type Timeline } from './timeline.ts'

z.config({ jitless: true })

const MOST_HITS = 200

let timeline: Timeline | null = null

/** A file has the same id in every browser: links name it. */
function idOf({ recordedAt }: Outline, { length }: Uint8Array): string {
  return `file-${recordedAt.toString(36)}-${length.toString(36)}`
}

function playedAs(id: string): PlayedAs {
  const letters = id.toLowerCase().replaceAll(/[^0-9a-z]/g, '')
  return {
    sessionId: sessionId.parse(`s_${letters.slice(0, 32).padEnd(8, '0')}`),
    testbed: formatTestbedId({ kind: 'recording', context: id, owner: null }),
    incarnation: `recording-${id}`,
  }
}

function opened({ bytes: given, id: known }: Questions['open']['asked']): Opened {
  const { take, folds } = foldWhileChecked()
  const { bytes, outline } = readRecording(given, take)
  const id = known ?? idOf(outline, given)
  const file = { outline, size: bytes.length, read: (from: number, to: number) => bytes.subarray(from, to) }
  const as = playedAs(id)
  const { runs, lastsMs } = (timeline = createTimeline(file, as, folds))
  const checks = outline.checks.flatMap((range) => eventsIn(file, range)).map(({ event }) => event)
  return {
    ...as,
    view: viewOf(outline, id, known !== null),
    facts: { ...outline.facts, kind: 'recording', incarnation: as.incarnation },
    checks: checks.flatMap((event) => (event.type === 'preflight.checked' ? { ...event.check, blocks: [] } : [])),
    runs,
    lastsMs,
    result: resultOf(timeline),
    measured: measuredIn(timeline.moment(lastsMs).runs),
  }
}

function resultOf({ runs, moment, lastsMs }: Timeline): TimedRun {
  const states = moment(lastsMs).runs.filter(({ stepId }) => stepId !== RESET_STEP)
  const found = states.findLast(({ comparisons }) => comparisons.length > 0) ?? states.at(-1)
  const run = runs.find(({ id }) => id === found?.id) ?? runs.at(-1)
  if (run === undefined) throw new Error('a recording has at least one run')
  return run
}

function present(): Timeline {
  if (timeline === null) throw new Error('no recording is open')
  return timeline
}

const answers: { [Name in QuestionName]: (asked: Questions[Name]['asked']) => Questions[Name]['answer'] } = {
  open: opened,
  moment({ at, has }) {
    const { runs, datapath } = present().moment(at)
    return { runs: runs.filter((run) => isOpen(run) || !has.includes(run.id)), datapath }
  },
  between: ({ after, until }) => present().between(after, until),
  whole: ({ run }) => present().whole(run),
  events: ({ run }) => present().events(run),
  find: ({ sought }) => present().find(sought, MOST_HITS),
}

function answerTo<Name extends QuestionName>({ number, name, asked }: Question<Questions, Name>): Answer<Questions> {
  try {
    return { number, answer: answers[name](asked) }
  } catch (error) {
    const known = error instanceof LabError ? error : new LabError('internal', String(error), '')
    return { number, problem: known.toProblem() }
  }
}

addEventListener('message', ({ data }: MessageEvent<Question<Questions>>) => postMessage(answerTo(data)))
