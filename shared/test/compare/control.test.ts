import { describe, expect, it } from 'vitest'
import { rowRole, type CaseComparison, type Control } from '../../src/compare/comparison.ts'
import { compareArms } from '../../src/compare/compare.ts'
import { controlWords, familyWords, roleWords, summaryOf } from '../../src/compare/control.ts'
import { measured } from '../builders.ts'

const together: Control = { method: 'dunnett-sidak', comparisons: 28 }

function compared(verdict: 'improved' | 'no-difference', control: Control): CaseComparison {
  const comparison = compareArms([measured({ arm: 'off' })], [measured({ arm: 'on' })])
  if (comparison === null) throw new Error('nothing compared')
  return { caseId: 'rr', arm: 'on', against: 'off', comparison: { ...comparison, verdict, control } }
}

describe('how comparisons were judged', () => {
  it('names the method, and says that the intervals are simultaneous', () => {
    expect(controlWords(together)).toMatch(/One of 28 .*Dunnett.*Šidák.*simultaneous/)
    expect(familyWords([{ control: together }, { control: together }])).toMatch(/All 2 .*Dunnett.*at most 5 of 100/)
  })

  it('warns of verdicts that were each made by themselves', () => {
    const apart: Control = { method: 'none', comparisons: 28 }
    expect(controlWords(apart)).toMatch(/judged by itself.*not simultaneous/)
    expect(familyWords([{ control: apart }, { control: apart }])).toMatch(/by chance.*not simultaneous/)
  })

  it('needs no words for a single comparison', () => {
    expect(controlWords({ method: 'none', comparisons: 1 })).toBeNull()
    expect(familyWords([{ control: together }])).toBeNull()
    expect(familyWords([])).toBeNull()
  })

  it('counts the verdicts of an experiment', () => {
    const all = [compared('improved', together), compared('no-difference', together), compared('improved', together)]
    expect(summaryOf(all)).toBe('3 comparisons, judged together: 2 improved, 1 without a difference that shows.')
  })

  it('marks rows that are not the verdict', () => {
    expect(rowRole.options.map(roleWords)).toEqual([null, 'exploratory', 'for explanation only'])
  })
})
