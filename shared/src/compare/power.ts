/** How likely a comparison is to show its effect with so many runs, judged by runs that were measured. Pure. */
import type { ComparedRow } from './comparison.ts'
import { median } from '../measure/measurement.ts'
import { compareRow } from './row.ts'
import { SEED } from './stats/bootstrap.ts'
import { criticalValue, type Group } from './stats/many-to-one.ts'
import { seeded, type Random } from './stats/random.ts'
import { LEAST_RUNS } from './stats/rank-test.ts'
import type { Series } from './stats/trend.ts'

/** Imagined repetitions of the whole comparison: the result is known to about 8 percentage points. */
const REPETITIONS = 150

function residualsOf(values: readonly number[], middle: number): number[] {
  return values.map((value) => Math.log(value / middle))
}

/** Values around a median, with the measured scatter. */
function imagined(middle: number, scatter: readonly number[], runs: number, random: Random): Series {
  const draw = (): number => scatter[Math.floor(random() * scatter.length)] ?? 0
  const values = Array.from({ length: runs }, () => middle * Math.exp(draw()))
  return { values, at: values.map((_, index) => index) }
}

/** An experiment of several comparisons. */
export interface Together {
  readonly arms: number
  readonly cases: number
}

function groupsOf({ arms, cases }: Together, runs: number): Group[] {
  return Array.from({ length: cases }, () => ({ first: runs, others: Array.from({ length: arms - 1 }, () => runs) }))
}

/** The difference of the means of logarithms, by its standard error from the measured scatter. */
function distanceOf(before: Series, after: Series, scatter: readonly number[]): number {
  const mean = ({ values }: Series): number => values.reduce((sum, one) => sum + Math.log(one), 0) / values.length
  const variance = scatter.reduce((sum, one) => sum + one ** 2, 0) / scatter.length
  return (
    Math.abs(mean(after) - mean(before)) / Math.sqrt(variance * (1 / before.values.length + 1 / after.values.length))
  )
}

/**
 * Power by simulation: both arms are drawn again and again around their measured medians, with the logarithms' residuals of
 * both arms as the scatter, and compared by the same rule as real runs. An outlier thus stays as rare as it was.
 * `docs/statistics.md` describes it.
 *
 * @param row a compared metric, with the values that were measured
 * @param runs of each arm in the comparison that is planned
 * @param together the experiment's arms and cases, if its comparisons are judged together; null for a single one
 * @returns the share, 0 to 1, of imagined comparisons with the verdict `improved` or `worse`; null with fewer than
 * {@link LEAST_RUNS} measured runs in an arm, or values that have no logarithm
 */
export function powerOf(
  { metric, better, off, on, offValues, onValues }: Omit<ComparedRow, 'verdict' | 'role'>,
  runs: number,
  together: Together | null = null,
): number | null {
  if (Math.min(offValues.length, onValues.length) < LEAST_RUNS) return null
  if (off <= 0 || on <= 0 || [...offValues, ...onValues].some((value) => value <= 0)) return null
  if (runs < LEAST_RUNS || better === 'neither') return 0
  const residuals = [...residualsOf(offValues, median(offValues)), ...residualsOf(onValues, median(onValues))]
  // Residuals from estimated medians are a little too small: two degrees of freedom are spent.
  const widening = Math.sqrt(residuals.length / (residuals.length - 2))
  const scatter = residuals.map((one) => one * widening)
  const random = seeded(SEED)
  const critical = together === null ? null : criticalValue(groupsOf(together, runs))
  let shown = 0
  for (let count = 0; count < REPETITIONS; count += 1) {
    const [before, after] = [imagined(off, scatter, runs, random), imagined(on, scatter, runs, random)]
    const verdict = compareRow(metric, before, after, null)?.verdict
    const shows = verdict === 'improved' || verdict === 'worse'
    if (shows && (critical === null || distanceOf(before, after, scatter) > critical)) shown += 1
  }
  return shown / REPETITIONS
}
