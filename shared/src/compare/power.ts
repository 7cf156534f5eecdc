/** How likely a comparison is to show its effect with so many runs, judged by runs that were measured. Pure. */
import type { ComparedRow } from './comparison.ts'
import { median } from '../measure/measurement.ts'
import { compareRow, LEAST_RUNS } from './row.ts'
import { SEED } from './stats/bootstrap.ts'
import { seeded, type Random } from './stats/random.ts'
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

/**
 * Power by simulation: both arms are drawn again and again around their measured medians, with the logarithms' residuals of
 * both arms as the scatter, and compared by the same rule as real runs. An outlier thus stays as rare as it was.
 * `docs/statistics.md` describes it.
 *
 * @param row a compared metric, with the values that were measured
 * @param runs of each arm in the comparison that is planned
 * @returns the share, 0 to 1, of imagined comparisons with the verdict `improved` or `worse`; null with fewer than
 * {@link LEAST_RUNS} measured runs in an arm, or values that have no logarithm
 */
export function powerOf(
  { metric, better, off, on, offValues, onValues }: Omit<ComparedRow, 'verdict'>,
  runs: number,
): number | null {
  if (Math.min(offValues.length, onValues.length) < LEAST_RUNS) return null
  if (off <= 0 || on <= 0 || [...offValues, ...onValues].some((value) => value <= 0)) return null
  if (runs < LEAST_RUNS || better === 'neither') return 0
  const residuals = [...residualsOf(offValues, median(offValues)), ...residualsOf(onValues, median(onValues))]
  // Residuals from estimated medians are a little too small: two degrees of freedom are spent.
  const widening = Math.sqrt(residuals.length / (residuals.length - 2))
  const scatter = residuals.map((one) => one * widening)
  const random = seeded(SEED)
  let shown = 0
  for (let count = 0; count < REPETITIONS; count += 1) {
    const [before, after] = [imagined(off, scatter, runs, random), imagined(on, scatter, runs, random)]
    const verdict = compareRow(metric, before, after, null)?.verdict
    if (verdict === 'improved' || verdict === 'worse') shown += 1
  }
  return shown / REPETITIONS
}
