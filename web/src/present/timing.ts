/** The talk's time against the minutes that the lab plans. Pure. */
import type { Lab } from '@expresslane/shared/labs/lab'
import type { Presentation } from '@expresslane/shared/wire/presentation'

export interface PlannedStep {
  readonly id: string
  readonly title: string
  /** Null where the lab plans nothing. */
  readonly minutes: number | null
  /** When the step begins by the plan, in seconds after the beginning of the talk. */
  readonly fromSeconds: number
  readonly untilSeconds: number
}

/** When each step begins and ends by the lab's plan; a step without minutes takes no time. */
export function planOf({ steps }: Pick<Lab, 'steps'>): PlannedStep[] {
  let at = 0
  return steps.map(({ id, title, minutes }) => {
    const fromSeconds = at
    at += (minutes ?? 0) * 60
    return { id, title, minutes, fromSeconds, untilSeconds: at }
  })
}

export interface Timing {
  /** Since the beginning of the talk. */
  readonly elapsedSeconds: number
  /** Since this step is shown. */
  readonly stepSeconds: number
  /** How much later than planned the talk is; negative when it is ahead of the plan, 0 within the step's own minutes. */
  readonly lateSeconds: number
  readonly plannedSeconds: number
}

type Shown = Pick<Presentation, 'startedAt' | 'stepSince' | 'stepId'>

/** @param now epoch milliseconds; null for a lab without planned minutes */
export function timingOf(lab: Pick<Lab, 'steps'>, { startedAt, stepSince, stepId }: Shown, now: number): Timing {
  const plan = planOf(lab)
  const step = plan.find(({ id }) => id === stepId)
  const elapsedSeconds = Math.max(0, (now - startedAt) / 1000)
  const { fromSeconds = 0, untilSeconds = 0 } = step ?? {}
  const late = Math.max(0, elapsedSeconds - untilSeconds)
  const early = Math.max(0, fromSeconds - elapsedSeconds)
  return {
    elapsedSeconds,
    stepSeconds: Math.max(0, (now - stepSince) / 1000),
    lateSeconds: late > 0 ? late : early > 0 ? -early : 0,
    plannedSeconds: plan.at(-1)?.untilSeconds ?? 0,
  }
}

/** `4:05`, `1:02:09`. */
export function clock(seconds: number): string {
  const whole = Math.floor(Math.abs(seconds))
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const tail = String(rest).padStart(2, '0')
  return hours === 0 ? `${minutes}:${tail}` : `${hours}:${String(minutes).padStart(2, '0')}:${tail}`
}
