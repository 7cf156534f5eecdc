/** A learner's way through a lab, step by step: how long each step took of their own time, and what went wrong there. Pure. */
import { maxOf } from '../../../measure/extremes.ts'
import type { Wait } from '../../../compare/stats/survival.ts'

/** A run in a learner's session. Times are in milliseconds since the epoch. */
export interface Attempt {
  readonly runId: string
  readonly stepId: string
  /** When it was requested: it can have waited in the queue since. */
  readonly requestedAt: number
  /** Null while it waits or runs. */
  readonly endedAt: number | null
  /** `stopped`: cancelled, or interrupted by the server. */
  readonly end: 'open' | 'passed' | 'failed' | 'stopped'
  /** Started by Solve, or by an instructor. */
  readonly solved: boolean
  /** A step that a Solve did on the way to a later step: the learner was not at it. */
  readonly onTheWay: boolean
  /** Its check failed with a hint. */
  readonly hint: boolean
}

/** A raised hand. */
export interface Hand {
  readonly stepId: string
  /** Milliseconds since the epoch. */
  readonly raisedAt: number
}

/** A person's session of the lab. */
export interface Learner {
  readonly id: string
  readonly name: string
  readonly sessionId: string
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** The step that the board shows; null after the last. */
  readonly stepId: string | null
  /** Oldest first. */
  readonly attempts: readonly Attempt[]
  readonly hands: readonly Hand[]
  /** True while a page of the learner is connected. */
  readonly online: boolean
}

/** The moment of a report. */
export interface Moment {
  /** Milliseconds since the epoch. */
  readonly now: number
  /** A person without a page and without a run for so long has left, in milliseconds. */
  readonly leftAfterMs: number
}

/** A learner at one step, up to its first pass. */
export interface Visit {
  readonly learner: Learner
  readonly stepId: string
  /** `open`: not passed yet, or left. */
  readonly end: 'passed' | 'solved' | 'open'
  /** The learner's own time in milliseconds: without the time in which their runs waited or ran. Ended by a pass of their own. */
  readonly wait: Wait
  readonly failures: number
  readonly hints: number
  readonly hands: number
}

const endOf = ({ endedAt }: Attempt, now: number): number => endedAt ?? now

function lastActivity({ startedAt, attempts, hands }: Learner, now: number): number {
  return maxOf([...attempts.map((one) => endOf(one, now)), ...hands.map(({ raisedAt }) => raisedAt)], startedAt)
}

/** A learner who has not finished, has no open page and no open run, and did nothing for some time. */
export function hasLeft(learner: Learner, { now, leftAfterMs }: Moment): boolean {
  const { stepId, online, attempts } = learner
  if (stepId === null || online || attempts.some(({ end }) => end === 'open')) return false
  return now - lastActivity(learner, now) >= leftAfterMs
}

/** The time between two moments in which no run of the learner waited or ran, in milliseconds. */
function ownTime(attempts: readonly Attempt[], from: number, to: number): number {
  let [own, at] = [0, from]
  for (const { requestedAt, endedAt } of attempts.toSorted((a, b) => a.requestedAt - b.requestedAt)) {
    own += Math.max(0, Math.min(requestedAt, to) - at)
    at = Math.max(at, endedAt ?? to)
  }
  return own + Math.max(0, to - at)
}

/** The first pass of each step: what a learner does again, also after a reset, took no thinking. */
export function firstPasses(attempts: readonly Attempt[]): Map<string, Attempt & { readonly endedAt: number }> {
  const passes = new Map<string, Attempt & { readonly endedAt: number }>()
  for (const one of attempts) {
    const { stepId, end, endedAt } = one
    if (end === 'passed' && endedAt !== null && !passes.has(stepId)) passes.set(stepId, { ...one, endedAt })
  }
  return passes
}

/**
 * The steps at which a learner was: those that they passed, tried, or are at. A step begins with the latest pass of another step before its
 * end, or with the session.
 */
export function visitsOf(stepIds: readonly string[], learner: Learner, moment: Moment): Visit[] {
  const { attempts, startedAt, hands } = learner
  const passes = firstPasses(attempts)
  const presence = hasLeft(learner, moment) ? lastActivity(learner, moment.now) : moment.now
  return stepIds.flatMap((stepId) => {
    const pass = passes.get(stepId)
    const tried = attempts.filter(
      (one) => one.stepId === stepId && (pass === undefined || one.requestedAt <= pass.requestedAt),
    )
    const isHere = learner.stepId === stepId
    if (pass?.onTheWay === true || (tried.length === 0 && !isHere)) return []
    const open = isHere
      ? presence
      : maxOf(
          tried.map((one) => endOf(one, moment.now)),
          startedAt,
        )
    const until = pass?.endedAt ?? open
    const others = stepIds
      .flatMap((id) => (id === stepId ? [] : (passes.get(id) ?? [])))
      .filter(({ endedAt }) => endedAt <= until)
    const from = maxOf(
      others.map(({ endedAt }) => endedAt),
      startedAt,
    )
    const end = pass === undefined ? 'open' : pass.solved ? 'solved' : 'passed'
    return [
      {
        learner,
        stepId,
        end,
        wait: { time: ownTime(attempts, from, until), ended: end === 'passed' },
        failures: tried.filter((one) => one.end === 'failed').length,
        hints: tried.filter(({ hint }) => hint).length,
        hands: hands.filter((hand) => hand.stepId === stepId).length,
      },
    ]
  })
}
