import { describe, expect, it } from 'vitest'
import type { ComparedRow } from '../../src/compare/comparison.ts'
import { powerOf } from '../../src/compare/power.ts'
import { compareRow } from '../../src/compare/row.ts'
import { normal, seeded } from '../../src/compare/stats/random.ts'

const series = (values: readonly number[]) => ({ values, at: values.map((_, index) => index) })

function row(off: readonly number[], on: readonly number[], metric = 'tps'): ComparedRow {
  const compared = compareRow(metric, series(off), series(on), null)
  if (compared === null) throw new Error('no row')
  return { ...compared, role: 'verdict' }
}

const quiet = [9_900, 10_000, 10_100, 9_950, 10_050, 10_020]
const times = (values: readonly number[], factor: number): number[] => values.map((value) => value * factor)

/** Draws around 10,000 with 10 % scatter. */
function noisy(count: number, factor: number, seed: number): number[] {
  const random = seeded(seed)
  return Array.from({ length: count }, () => 10_000 * factor * Math.exp(0.1 * normal(random)))
}

describe('the power of a comparison', () => {
  it('is certain for an effect far above the scatter, and rare for none', () => {
    expect(powerOf(row(quiet, times(quiet, 1.3)), 6)).toBe(1)
    expect(powerOf(row(quiet, quiet.toReversed()), 6)).toBeLessThan(0.08)
  })

  it('grows with the repeats', () => {
    const of = row(noisy(12, 1, 1), noisy(12, 1.15, 2))
    const [few, some, many] = [4, 8, 30].map((runs) => powerOf(of, runs) ?? 0)
    expect(few).toBeLessThan(some ?? 0)
    expect(some).toBeLessThan(many ?? 0)
    expect(many).toBeGreaterThan(0.8)
  })

  it('agrees with real repetitions of the comparison', () => {
    const repetitions = Array.from({ length: 300 }, (_, index) =>
      row(noisy(8, 1, 1_000 + index), noisy(8, 1.15, 9_000 + index)),
    )
    const shown = repetitions.filter(({ verdict }) => verdict === 'improved').length / repetitions.length
    const judged = repetitions.slice(0, 40).map((one) => powerOf(one, 8) ?? 0)
    const mean = judged.reduce((sum, one) => sum + one, 0) / judged.length
    expect(Math.abs(mean - shown)).toBeLessThan(0.12)
  })

  it('is little changed by one outlier', () => {
    const [first = 0, ...rest] = times(quiet, 1.3)
    expect(powerOf(row(quiet, [first / 4, ...rest]), 8)).toBeGreaterThan(0.7)
  })

  it('is unknown with fewer than 4 repeats, or without a logarithm; zero where a talk plans fewer than 4', () => {
    expect(powerOf(row(quiet.slice(0, 3), times(quiet, 2)), 6)).toBeNull()
    expect(powerOf(row(quiet, [0, ...times(quiet, 2)]), 6)).toBeNull()
    expect(powerOf(row(quiet, times(quiet, 2)), 3)).toBe(0)
    expect(powerOf(row(quiet, times(quiet, 2), 'packetsPerRequest'), 6)).toBe(0)
  })

  it('gives the same answer each time', () => {
    const of = row(noisy(6, 1, 3), noisy(6, 1.1, 4))
    expect(powerOf(of, 6)).toBe(powerOf(of, 6))
  })
})
