/** Whether a talk will show the effect that a rehearsal measured. Pure. */
import { powerOf, type Together } from '../compare/power.ts'
import { toolName } from '../features/metrics.ts'
import { measuringOf } from '../labs/actions.ts'
import type { Lab, Tunable } from '../labs/lab.ts'
import { resultsOf } from '../run/result.ts'
import type { RunState } from '../run/run-state.ts'
import type { RehearsedEffect } from '../wire/rehearsal.ts'

/** Eight talks of ten. */
export const LIKELY = 0.8

const CANDIDATES = [4, 6, 8, 10, 12, 16, 20, 30, 50]

/** A comparison of the rehearsal, before it is judged. */
export interface Compared extends Omit<RehearsedEffect, 'power' | 'neededRuns'> {
  /** The most repeats that the lab allows. */
  readonly mostRuns: number
  /** The experiment whose comparisons are judged together; null for a single comparison. */
  readonly together: Together | null
}

/** How often the lab measures each arm, for the steps of a result: the least of them counts. */
function repeatsOf(lab: Lab, steps: readonly string[]): Tunable | null {
  const all = lab.steps.flatMap((step) => (steps.includes(step.id) ? (measuringOf(step)?.repeats ?? []) : []))
  return all.toSorted((a, b) => a.default - b.default)[0] ?? null
}

/** The main metric of each comparison, in the order of the lab. */
export function comparedIn(lab: Lab, runs: readonly RunState[]): Compared[] {
  return resultsOf(lab, runs).flatMap(({ steps, plan, comparisons }) => {
    const repeats = repeatsOf(lab, steps)
    const together = comparisons.length < 2 ? null : { arms: plan.arms.length, cases: plan.cases.length }
    return comparisons.flatMap(({ caseId, comparison: { rows, off, on } }) => {
      const [row] = rows
      if (row === undefined || repeats === null) return []
      const of = plan.cases.find(({ id }) => id === caseId) ?? plan.cases[0]
      // Two experiments of a lab may measure the same cases with different tools.
      const tool = of === undefined || caseId === null ? '' : ` (${toolName(of.benchmark)})`
      const label = `${of?.label ?? ''}${tool}, ${off.name} → ${on.name}`
      const planned = { plannedRuns: repeats.default, mostRuns: repeats.max }
      return [{ stepId: steps.at(-1) ?? '', label, row, ...planned, together }]
    })
  })
}

/** A recording always shows the same, so its power is 0 or 1. */
export function replayedEffect({ mostRuns: _mostRuns, together: _together, ...effect }: Compared): RehearsedEffect {
  const shows = effect.row.verdict === 'improved' || effect.row.verdict === 'worse'
  return { ...effect, plannedRuns: Math.max(1, effect.row.offValues.length), power: shows ? 1 : 0, neededRuns: null }
}

/**
 * Judges one comparison.
 *
 * @param letOthers awaited between parts of a twentieth of a second
 */
export async function rehearsedEffect(
  { mostRuns, together, ...effect }: Compared,
  letOthers: () => Promise<void>,
): Promise<RehearsedEffect> {
  const powerWith = async (runs: number): Promise<number | null> => {
    await letOthers()
    return powerOf(effect.row, runs, together)
  }
  const power = await powerWith(effect.plannedRuns)
  if (power === null || power >= LIKELY) return { ...effect, power, neededRuns: null }
  const more = CANDIDATES.filter((runs) => runs > effect.plannedRuns && runs <= mostRuns)
  const last = more.at(-1)
  // Where the medians hardly differ, no affordable number of repeats helps.
  if (last === undefined || ((await powerWith(last)) ?? 0) < LIKELY) return { ...effect, power, neededRuns: null }
  for (const runs of more) {
    if (((await powerWith(runs)) ?? 0) >= LIKELY) return { ...effect, power, neededRuns: runs }
  }
  return { ...effect, power, neededRuns: last }
}
