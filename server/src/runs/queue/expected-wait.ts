/** Estimates how long a queued run will wait. Pure. */
import type { StepParams } from '@expresslane/shared/labs/lab'
import { median } from '@expresslane/shared/measure/measurement'

/**
 * How long a step with these parameters will probably take: its plan, and what earlier runs took beyond theirs. Null if
 * it has no plan and never ran.
 *
 * @param plannedOf the planned seconds for some parameters; null if the step has no plan
 */
export function expectedSeconds(
  plannedOf: (params: StepParams) => number | null,
  params: StepParams,
  lasted: readonly { readonly seconds: number; readonly params: StepParams }[],
): number | null {
  const planned = plannedOf(params)
  if (lasted.length === 0) return planned
  const beyond = median(lasted.map((one) => one.seconds - (plannedOf(one.params) ?? 0)))
  return Math.max(0, (planned ?? 0) + beyond)
}

/** A run that comes before. */
export interface RunAhead {
  /** The durations of the run and of the steps after it in its solve, in seconds; null for an unknown duration. */
  readonly steps: readonly (number | null)[]
  /** Milliseconds since the epoch; null while it waits. */
  readonly startedAt: number | null
}

/**
 * Seconds until all runs ahead have probably ended, one after the other; null if the duration of one is unknown. A run
 * that takes longer than expected is expected to end now.
 *
 * @param now milliseconds since the epoch
 */
export function expectedWait(ahead: readonly RunAhead[], now: number): number | null {
  let wait = 0
  for (const { steps, startedAt } of ahead) {
    const elapsed = startedAt === null ? 0 : Math.max(0, now - startedAt) / 1000
    let length = 0
    for (const [index, seconds] of steps.entries()) {
      if (seconds === null) return null
      length += index === 0 ? Math.max(0, seconds - elapsed) : seconds
    }
    wait += length
  }
  return Math.round(wait)
}
