/**
 * The learners' ways as statements of the Experience API (xAPI 1.0.3) with the verbs and activity types of ADL's vocabulary. The same way
 * gives the same statements with the same ids, so that a learning record store keeps each of them once.
 */
import { v5 as uuidFrom } from 'uuid'
import { maxOf } from '../../../measure/extremes.ts'
import { firstPasses, visitsOf, type Attempt, type Learner } from './learner.ts'
import type { StepsReport } from './model.ts'

const VOCABULARY = 'http://adlnet.gov/expapi'
/** The namespace of the ids (RFC 9562, 5.5): another one would make other ids of the same ways. */
const NAMESPACE = '0a9b1d0e-6f0c-4f0e-9a53-5d7e4b1c8f26'

type Verb = 'initialized' | 'attempted' | 'passed' | 'failed' | 'completed' | 'asked'

interface Activity {
  readonly objectType: 'Activity'
  readonly id: string
  readonly definition: { readonly type: string; readonly name: Readonly<Record<string, string>> }
}

interface Result {
  readonly success?: boolean
  readonly completion?: boolean
  readonly duration?: string
}

export interface Statement {
  readonly id: string
  readonly actor: {
    readonly objectType: 'Agent'
    readonly name?: string
    readonly account: { readonly homePage: string; readonly name: string }
  }
  readonly verb: { readonly id: string; readonly display: Readonly<Record<string, string>> }
  readonly object: Activity
  readonly result?: Result
  readonly context: {
    readonly registration: string
    readonly platform: string
    readonly contextActivities?: { readonly parent: readonly Activity[] }
  }
  readonly timestamp: string
  readonly version: '1.0.3'
}

/** ISO 8601, to the hundredth of a second, in which the specification compares durations. */
function durationOf(ms: number): string {
  return `PT${Math.round(ms / 10) / 100}S`
}

function activity(id: string, type: 'lesson' | 'performance', name: string): Activity {
  return { objectType: 'Activity', id, definition: { type: `${VOCABULARY}/activities/${type}`, name: { en: name } } }
}

/** The result of a run's end: who had Solve do a step completed it, and did not pass. */
function endingOf({ end, solved }: Attempt, ownMs: number | undefined): { verb: Verb; result: Result } | null {
  if (end === 'open' || end === 'stopped') return null
  if (end === 'failed') return { verb: 'failed', result: { success: false } }
  if (solved) return { verb: 'completed', result: { completion: true } }
  const duration = ownMs === undefined ? {} : { duration: durationOf(ownMs) }
  return { verb: 'passed', result: { success: true, ...duration } }
}

function statementsOf({ lab, named, origin, moment }: StepsReport, learner: Learner): Statement[] {
  const { id, name, sessionId, startedAt, attempts, hands } = learner
  const lesson = activity(`${origin}/labs/${lab.id}`, 'lesson', lab.title)
  const steps = new Map(
    lab.steps.map((step) => [step.id, activity(`${lesson.id}/steps/${step.id}`, 'performance', step.title)]),
  )
  const actor = {
    objectType: 'Agent',
    ...(named ? { name } : {}),
    account: { homePage: origin, name: uuidFrom(id, NAMESPACE) },
  } as const
  const context = { registration: uuidFrom(sessionId, NAMESPACE), platform: 'Expresslane' }
  const say = (key: string, verb: Verb, object: Activity, at: number, result?: Result): Statement => ({
    id: uuidFrom(`${key} ${verb}`, NAMESPACE),
    actor,
    verb: { id: `${VOCABULARY}/verbs/${verb}`, display: { 'en-US': verb } },
    object,
    ...(result === undefined ? {} : { result }),
    context: object === lesson ? context : { ...context, contextActivities: { parent: [lesson] } },
    timestamp: new Date(at).toISOString(),
    version: '1.0.3',
  })
  const passes = firstPasses(attempts)
  const own = new Map(visitsOf([...steps.keys()], learner, moment).map(({ stepId, wait }) => [stepId, wait.time]))
  const ofRuns = attempts.flatMap((attempt) => {
    const { runId, stepId, requestedAt, endedAt } = attempt
    const step = steps.get(stepId)
    if (step === undefined) return []
    const ending = endingOf(attempt, passes.get(stepId)?.runId === runId ? own.get(stepId) : undefined)
    const ended = ending === null || endedAt === null ? [] : [say(runId, ending.verb, step, endedAt, ending.result)]
    return [say(runId, 'attempted', step, requestedAt), ...ended]
  })
  const ofHands = hands.flatMap(({ stepId, raisedAt }) => {
    const step = steps.get(stepId)
    return step === undefined ? [] : [say(`${sessionId} ${stepId} ${raisedAt}`, 'asked', step, raisedAt)]
  })
  const isDone = [...steps.keys()].every((stepId) => passes.has(stepId))
  const doneAt = maxOf(
    [...passes.values()].map(({ endedAt }) => endedAt),
    startedAt,
  )
  const done = { completion: true, duration: durationOf(doneAt - startedAt) }
  return [
    say(sessionId, 'initialized', lesson, startedAt),
    ...[...ofRuns, ...ofHands].toSorted((a, b) => (a.timestamp < b.timestamp ? -1 : Number(a.timestamp > b.timestamp))),
    ...(isDone ? [say(sessionId, 'completed', lesson, doneAt, done)] : []),
  ]
}

/** The statements of all learners, as JSON that a learning record store takes in one request. */
export function stepsStatements(report: StepsReport): Statement[] {
  return report.learners.flatMap((learner) => statementsOf(report, learner))
}
