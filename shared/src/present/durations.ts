/** How long a talk will take, from how long a quick rehearsal took. Pure. */
import { measuringOf } from '../labs/actions.ts'
import type { Lab, Step } from '../labs/lab.ts'
import { planWith } from '../labs/planned.ts'
import { runsOf } from '../measure/experiment.ts'
import type { RunState } from '../run/run-state.ts'
import type { Rehearsal } from '../wire/rehearsal.ts'

/** Slow readers, with a glance at the path. */
const WORDS_PER_SECOND = 3
const SHORTEST_SECONDS = 5
const LONGEST_SECONDS = 60

/** The pause that the lab plans; for a step without a pause, the time to read its prose. In seconds. */
export function pauseOf({ pauseSeconds, prose }: Pick<Step, 'pauseSeconds' | 'prose'>): number {
  if (pauseSeconds !== null) return pauseSeconds
  const words = prose.split(/\s+/).filter((word) => word !== '').length
  return Math.min(LONGEST_SECONDS, Math.max(SHORTEST_SECONDS, Math.ceil(words / WORDS_PER_SECOND)))
}

function secondsOf({ startedAt, endedAt }: RunState): number {
  return endedAt === null ? 0 : (endedAt - startedAt) / 1000
}

/** The repeats and their length that the lab plans for a step; null for a step that does not measure. */
function plannedOf(step: Step): { readonly repeats: number; readonly seconds: number } | null {
  const measuring = measuringOf(step)
  const plan = measuring === null ? null : planWith(measuring, {})
  return plan === null ? null : { repeats: runsOf(plan), seconds: plan.design.seconds }
}

/** An action with the lab's own settings: the time between the repeats grows with their number. */
function actionSeconds(step: Step, run: RunState | undefined): number {
  if (run === undefined) return 0
  const took = secondsOf(run)
  // A recording has its own repeats, and a talk plays it at its own speed.
  if (run.params.speed !== undefined) return took * run.params.speed
  const planned = plannedOf(step)
  if (planned === null || run.repeats.length === 0) return took
  const measuring = run.repeats.reduce((sum, { seconds }) => sum + seconds, 0)
  const between = Math.max(0, took - measuring) / run.repeats.length
  return planned.repeats * (planned.seconds + between)
}

/**
 * @param runs the runs of a rehearsal, each step's latest one counts
 * @param tookSeconds the whole rehearsal
 */
export function durationsOf(
  lab: Lab,
  runs: readonly RunState[],
  tookSeconds: number,
): NonNullable<Rehearsal['expected']> {
  const steps = lab.steps.map((step) => {
    const acts = actionSeconds(
      step,
      runs.findLast(({ stepId }) => stepId === step.id),
    )
    const pause = pauseOf(step)
    return {
      acts,
      talk: Math.max(step.minutes === null ? pause : step.minutes * 60, acts),
      autopilot: acts + pause * (step.question === null ? 1 : 2),
    }
  })
  const total = (of: (one: (typeof steps)[number]) => number): number =>
    Math.round(steps.reduce((sum, one) => sum + of(one), 0))
  return {
    rehearsal: Math.round(tookSeconds),
    actions: total(({ acts }) => acts),
    talk: total(({ talk }) => talk),
    autopilot: total(({ autopilot }) => autopilot),
  }
}
