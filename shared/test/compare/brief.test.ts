import { describe, expect, it } from 'vitest'
import { briefOf, briefWords, changeWords } from '../../src/compare/brief.ts'
import type { CaseComparison, Verdict } from '../../src/compare/comparison.ts'
import { caseCompared } from './case-compared.ts'

function compared(verdict: Verdict, on = 112.4): CaseComparison {
  const of = caseCompared({ caseId: 'rr', against: 'off', arm: 'on', tool: 'tcp-rr', metric: 'tps', off: 100, on })
  const { comparison } = of
  return { ...of, comparison: { ...comparison, verdict, rows: comparison.rows.map((row) => ({ ...row, verdict })) } }
}

const words = (all: CaseComparison[]): string => {
  const brief = briefOf(all)
  return brief === null ? '' : briefWords(brief)
}

describe('a verdict in short', () => {
  it('is the change in the words of the metric', () => {
    expect(words([compared('improved')])).toBe('12.4 % faster')
    expect(words([compared('worse', 80)])).toBe('20.0 % slower')
    const longer = { metric: 'p99', changePercent: 2345, verdict: 'worse' } as const
    expect(changeWords(longer)).toBe('2,345 % longer')
  })

  it('claims no change where none was seen', () => {
    expect(words([compared('no-difference')])).toBe('no difference seen')
    expect(words([compared('too-few')])).toBe('too few repeats')
  })

  it('counts the verdicts of several comparisons, and has the figures of the last', () => {
    const all = [compared('improved'), compared('no-difference'), compared('worse', 50)]
    expect(words(all)).toBe('1 of 3 comparisons improved, 1 worse')
    expect(words(all.slice(0, 2))).toBe('1 of 2 comparisons improved')
    expect(briefOf(all)).toMatchObject({
      verdict: 'worse',
      changePercent: -50,
      sentence: '3 comparisons, judged together: 1 improved, 1 worse, 1 without a difference that shows.',
    })
    expect(briefOf(all.slice(0, 1))?.sentence).toBe('s')
  })

  it('is missing without a comparison', () => {
    expect(briefOf([])).toBeNull()
  })
})
