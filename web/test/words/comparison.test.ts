import type { ComparedRow, Comparison } from '@expresslane/shared/compare/comparison'
import { compareArms } from '@expresslane/shared/compare/compare'
import { describe, expect, it } from 'vitest'
import { driftWords, finerThanTool, formatInterval, formatP, warmupWords } from '../../src/words/comparison.ts'
import { measured } from '@expresslane/shared/test/builders'

function comparisonOf(off: readonly boolean[], on: readonly boolean[]): Comparison {
  const arm = (name: string, warmups: readonly boolean[]) => warmups.map((warmup) => measured({ arm: name, warmup }))
  const comparison = compareArms(arm('off', off), arm('on', on))
  if (comparison === null) throw new Error('nothing compared')
  return comparison
}

const row = (over: Partial<ComparedRow>): ComparedRow => {
  const [first] = comparisonOf([false], [false]).rows
  if (first === undefined) throw new Error('no row')
  return { ...first, ...over }
}

describe('an interval', () => {
  it.each([
    [1.182, 1.274, '+18 to +27 %'],
    [0.96, 1.05, '−4 to +5 %'],
    [1.001, 1.022, '+0.1 to +2.2 %'],
    [0.999, 1.2, '0 to +20 %'],
    [58.04, 67.78, '+5,704 to +6,678 %'],
  ])('from %f to %f reads %s', (low, high, words) => {
    expect(formatInterval({ interval: { low, high } })).toBe(words)
  })

  it('does not exist with too few runs', () => {
    expect(formatInterval({ interval: null })).toBeNull()
    expect([formatP(null), formatP(0.0004), formatP(0.04)]).toEqual(['p unknown', 'p < 0.001', 'p = 0.040'])
  })
})

describe('a difference below the resolution of netperf', () => {
  const p99 = { metric: 'p99', off: 161, resolution: 10 } as const

  it('gets a note, and a larger one does not', () => {
    expect(finerThanTool(row({ ...p99, on: 156 }))).toContain('resolution of netperf, which is 10 µs')
    expect(finerThanTool(row({ ...p99, on: 150 }))).toBeNull()
    expect(finerThanTool(row({ ...p99, on: 161 }))).toBeNull()
    expect(finerThanTool(row({ ...p99, on: 156, resolution: null }))).toBeNull()
  })
})

describe('warm-up runs', () => {
  it('are shown for both sides, and for each if they differ', () => {
    expect(warmupWords(comparisonOf([false], [false]))).toBeNull()
    expect(warmupWords(comparisonOf([true, false], [true, false]))).toBe('1 warm-up each, not counted.')
    expect(warmupWords(comparisonOf([true, true, false], [true, false]))).toBe(
      '2 warm-ups without BIG TCP and 1 warm-up with BIG TCP, not counted.',
    )
  })
})

describe('a drift', () => {
  it('is shown with its size and its p', () => {
    const { off } = comparisonOf([false], [false])
    expect(driftWords(off)).toBe('none found')
    expect(driftWords({ ...off, drift: { percent: -8.2, p: 0.013 } })).toBe(
      '−8.2 % from the first repeat to the last (p = 0.013)',
    )
  })
})
