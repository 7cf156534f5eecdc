/** Where a room got stuck: figures by step, and which steps stand out. Pure. */
import { moreOften, type Counted } from '../../../compare/stats/fisher.ts'
import { twoSidedTail } from '../../../compare/stats/rank-test.ts'
import { logRank, timeOf, type Stratum, type Wait } from '../../../compare/stats/survival.ts'
import type { Lab } from '../../../labs/lab.ts'
import { maxOf } from '../../../measure/extremes.ts'
import { pauseOf } from '../../../present/durations.ts'
import type { LabFigures, StepFigures } from '../../../wire/board.ts'
import { hasLeft, visitsOf, type Learner, type Moment, type Visit } from './learner.ts'

/** All tests of a lab together name a step by chance in at most 5 % of rooms (Bonferroni). */
const LEVEL = 0.05
/** A step stands out from half as much again: less is seldom worth a change, however sure it is. */
const LEAST_FACTOR = 1.5
/** Trouble stands out from twice the share at the other steps. */
const LEAST_TROUBLE = 2
/** Fewer learners say little about a step. */
const LEAST_LEARNERS = 3

interface StepVisits {
  readonly stepId: string
  /** Seconds to read the text of the step, and of the steps before it that only have text. */
  readonly reading: number
  readonly visits: readonly Visit[]
}

/** The steps that act, each with its seconds of reading. */
export function actingSteps({ steps }: Pick<Lab, 'steps'>): { readonly stepId: string; readonly reading: number }[] {
  let reading = 0
  return steps.flatMap((step) => {
    reading += pauseOf(step)
    if (step.action === null) return []
    const acting = { stepId: step.id, reading: Math.max(1, reading) }
    reading = 0
    return [acting]
  })
}

/** Times as multiples of the seconds of reading, so that steps can be compared. */
function scaled({ visits, reading }: StepVisits): Wait[] {
  return visits.map(({ wait: { time, ended } }) => ({ time: time / 1000 / reading, ended }))
}

/** For each learner who was at the step, their times there and at the others: some people are slower everywhere. */
function strataOf(step: StepVisits, all: readonly StepVisits[]): Stratum[] {
  const times = all.flatMap((one) =>
    scaled(one).map((wait, index) => ({ wait, learner: one.visits[index]?.learner, isHere: one === step })),
  )
  return [...Map.groupBy(times, ({ learner }) => learner).values()].map((own) => ({
    slow: own.flatMap(({ isHere, wait }) => (isHere ? [wait] : [])),
    fast: own.flatMap(({ isHere, wait }) => (isHere ? [] : [wait])),
  }))
}

/** The median; the longest time if more than half have not passed yet, which the median exceeds. */
function typical(waits: readonly Wait[]): number {
  return (
    timeOf(0.5, waits) ??
    maxOf(
      waits.map(({ time }) => time),
      0,
    )
  )
}

/** The probability that a standard normal variable is above `z`; 1 for any `z` that is not above 0. */
function above(z: number): number {
  return z > 0 ? twoSidedTail(z) / 2 : 1
}

const isInTrouble = ({ end, failures, hands, learner, stepId }: Visit, moment: Moment): boolean =>
  failures > 0 || hands > 0 || end === 'solved' || (learner.stepId === stepId && hasLeft(learner, moment))

function troubleOf(visits: readonly Visit[], moment: Moment): Counted {
  return { hit: visits.filter((visit) => isInTrouble(visit, moment)).length, of: visits.length }
}

function judged(
  step: StepVisits,
  all: readonly StepVisits[],
  moment: Moment,
): Pick<StepFigures, 'factor' | 'standsOut'> {
  const others = all.filter((one) => one !== step)
  const [own, rest] = [scaled(step), others.flatMap(scaled)]
  const pace = typical(rest)
  if (own.length < LEAST_LEARNERS || pace === 0) return { factor: null, standsOut: [] }
  const level = LEVEL / (2 * all.length)
  const factor = typical(own) / pace
  const isSlow = factor >= LEAST_FACTOR && above(logRank(strataOf(step, all))) < level
  const [here, elsewhere] = [
    troubleOf(step.visits, moment),
    troubleOf(
      others.flatMap(({ visits }) => visits),
      moment,
    ),
  ]
  const isMore = here.hit * elsewhere.of >= LEAST_TROUBLE * elsewhere.hit * here.of
  const isHard = here.hit >= LEAST_LEARNERS && isMore && moreOften(here, elsewhere) < level
  return { factor, standsOut: [...(isSlow ? (['time'] as const) : []), ...(isHard ? (['trouble'] as const) : [])] }
}

function secondsOf(visits: readonly Visit[]): StepFigures['seconds'] {
  const waits = visits.map(({ wait }) => ({ ...wait, time: wait.time / 1000 }))
  return {
    low: timeOf(0.25, waits),
    median: timeOf(0.5, waits),
    high: timeOf(0.75, waits),
    longest: waits.length === 0 ? null : maxOf(waits.map(({ time }) => time)),
  }
}

const sum = (visits: readonly Visit[], of: (visit: Visit) => number): number =>
  visits.reduce((total, visit) => total + of(visit), 0)

/** The learners who are at a step now, and those who left at it. */
export function peopleAt(stepId: string, learners: readonly Learner[], moment: Moment) {
  const at = learners.filter((one) => one.stepId === stepId)
  return { here: at.filter((one) => !hasLeft(one, moment)), left: at.filter((one) => hasLeft(one, moment)) }
}

/**
 * The figures of a lab by step. A step stands out by time if its learners took at least 1.5 times as long as at the other
 * steps, each measured by the time that its text takes to read, and the log-rank test, within each learner, says that this is no chance. It stands out by
 * trouble if at least twice as many, and three, failed, raised a hand, asked for Solve or left, and Fisher's exact test says so.
 */
export function labFigures(lab: Pick<Lab, 'id' | 'steps'>, learners: readonly Learner[], moment: Moment): LabFigures {
  const acting = actingSteps(lab)
  const ids = acting.map(({ stepId }) => stepId)
  const byStep = Map.groupBy(
    learners.flatMap((learner) => visitsOf(ids, learner, moment)),
    ({ stepId }) => stepId,
  )
  const all = acting.map((step) => ({ ...step, visits: byStep.get(step.stepId) ?? [] }))
  const steps = all.map((step) => {
    const { stepId, visits } = step
    const { here, left } = peopleAt(stepId, learners, moment)
    return {
      stepId,
      reached: visits.length,
      passed: visits.filter(({ end }) => end === 'passed').length,
      here: here.length,
      left: left.length,
      failures: sum(visits, ({ failures }) => failures),
      hints: sum(visits, ({ hints }) => hints),
      solves: visits.filter(({ end }) => end === 'solved').length,
      hands: sum(visits, ({ hands }) => hands),
      seconds: secondsOf(visits),
      ...judged(step, all, moment),
    }
  })
  const [slowest] = steps.filter(({ factor }) => factor !== null).toSorted((a, b) => (b.factor ?? 0) - (a.factor ?? 0))
  const finished = learners.filter(({ stepId }) => stepId === null).length
  return { labId: lab.id, learners: learners.length, finished, slowest: slowest?.stepId ?? null, steps }
}
