import { describe, expect, test } from 'vitest'
import type { CaseComparison, Verdict } from '../../src/compare/comparison.ts'
import { compareArms } from '../../src/compare/compare.ts'
import {
  agreement,
  agreementName,
  opinionsOf,
  talliesOf,
  tallySentence,
  type Agreement,
  type Opinion,
} from '../../src/compare/opinion.ts'
import { storedValues } from '../../src/features/printed.ts'
import type { MetricId } from '../../src/measure/metrics.ts'
import { environment, measured } from '../builders.ts'

interface Found {
  readonly verdict: Verdict
  readonly ratio: number
  readonly low?: number
  readonly high?: number
  readonly metric?: MetricId
}

const measuredPair = compareArms([measured({ arm: 'off' })], [measured({ arm: 'on' })])

/** A comparison with this main row. */
function compared({ verdict, ratio, low, high, metric = 'tps' }: Found, arm = 'on'): CaseComparison {
  const [first] = measuredPair?.rows ?? []
  if (measuredPair === null || first === undefined) throw new Error('nothing compared')
  const interval = low === undefined || high === undefined ? null : { low, high }
  const row = { ...first, metric, ratio, interval, changePercent: (ratio - 1) * 100, verdict }
  return { caseId: 'rr', arm, against: 'off', comparison: { ...measuredPair, verdict, rows: [row] } }
}

/** The results of a run on the counted machine. */
function foundThere(comparisons: readonly CaseComparison[], passed = true) {
  return { comparisons, outcome: { passed } }
}

function opinionOn(here: Found, there: Found): Opinion {
  const [one] = opinionsOf([compared(here)], foundThere([compared({ metric: 'countedTps', ...there })]))
  if (one === undefined) throw new Error('no opinion')
  return one
}

const faster: Found = { verdict: 'improved', ratio: 1.09, low: 1.04, high: 1.15 }
const slower: Found = { verdict: 'worse', ratio: 0.9, low: 0.85, high: 0.96 }
const alike: Found = { verdict: 'no-difference', ratio: 1.01, low: 0.97, high: 1.05 }
const fewer: Found = { verdict: 'improved', ratio: 1.1338, low: 1.126, high: 1.1416 }
const more: Found = { verdict: 'worse', ratio: 0.8818, low: 0.876, high: 0.888 }
const asMany: Found = { verdict: 'no-difference', ratio: 1.001, low: 0.996, high: 1.006 }
const tooFew: Found = { verdict: 'too-few', ratio: 1.2 }

describe('two opinions', () => {
  test.each<[Found, Found, Agreement]>([
    [faster, fewer, 'same'],
    [slower, more, 'same'],
    [faster, more, 'opposite'],
    [slower, fewer, 'opposite'],
    [faster, asMany, 'only-here'],
    [slower, asMany, 'only-here'],
    [alike, fewer, 'only-counted'],
    [alike, more, 'only-counted'],
    [{ ...alike, low: 0.8, high: 1.3 }, fewer, 'hidden'],
    [{ ...alike, low: 0.8, high: 1.3 }, more, 'hidden'],
    [alike, asMany, 'neither'],
    [tooFew, fewer, 'undecided'],
    [faster, tooFew, 'undecided'],
  ])('%j and %j: %s', (here, there, expected) => {
    const found = opinionOn(here, there)
    expect(found.agreement).toBe(expected)
    expect(found.meaning).toMatch(/^[A-Z].*\.$/)
    expect(`${found.sentence} ${found.meaning}`).not.toMatch(/NaN|Infinity|undefined/)
  })

  test('each has a name for a table', () => {
    for (const one of agreement.options) expect(agreementName[one]).toMatch(/^[a-z]/)
  })

  test('are paired by case and arms, and one without a partner is not measured there', () => {
    const here = [compared(faster), compared(alike, 'netkit')]
    const all = opinionsOf(here, foundThere([compared({ ...fewer, metric: 'countedTps' }), compared(fewer, 'other')]))
    expect(all.map(({ arm, agreement: of, counted }) => [arm, of, counted === null])).toEqual([
      ['on', 'same', false],
      ['netkit', 'missing', true],
    ])
    expect(all[1]?.sentence).toBe('no difference seen here (−3 to 5 %); not measured on the counted machine')
  })
})

describe('the sentence', () => {
  test('has the change in time, and that of the instructions a transaction takes', () => {
    expect(opinionOn(faster, fewer).sentence).toBe(
      '9 % faster here (4 to 15); 11.8 % fewer instructions (11.2 to 12.4)',
    )
    expect(opinionOn(slower, more).sentence).toBe('10 % slower here (4 to 15); 13.4 % more instructions (12.6 to 14.2)')
  })

  test('says where nothing was seen, and where there are too few repeats', () => {
    expect(opinionOn(alike, asMany).sentence).toBe(
      'no difference seen here (−3 to 5 %); no difference in instructions (−0.6 to 0.4 %)',
    )
    expect(opinionOn(tooFew, tooFew).sentence).toBe('too few repeats here; too few repeats in instructions')
  })

  test('takes a metric of which less is better as it is', () => {
    const cheaper: Found = { verdict: 'improved', ratio: 0.75, low: 0.7, high: 0.8, metric: 'cpuPerPacket' }
    const found = opinionOn(cheaper, { ...cheaper, ratio: 0.701, low: 0.7, high: 0.702, metric: 'countedCpuPerPacket' })
    expect(found).toMatchObject({
      agreement: 'same',
      sentence: '25 % less CPU here (20 to 30); 29.9 % fewer instructions (29.8 to 30.0)',
    })
  })

  test('uses the metric’s own words where it is the same on every testbed', () => {
    const idle: Found = { verdict: 'improved', ratio: 1.5, low: 1.4, high: 1.6, metric: 'cpuIdle' }
    expect(opinionOn(idle, idle).sentence).toBe(
      '50 % more idle CPU here (40 to 60); 50 % more idle CPU on the counted machine (40 to 60)',
    )
  })

  test('is of what was really measured', () => {
    const clock = 125
    const fingerprint = environment({ instructionsPerMicrosecond: clock })
    const take = (arm: string, values: readonly number[], counts: boolean) =>
      values.map((tps, index) => ({
        ...measured({ arm, repeat: index + 1, ...(counts ? { fingerprint } : {}) }),
        values: counts ? storedValues({ tps }, clock) : { tps },
      }))
    const comparisonOf = (off: readonly number[], on: readonly number[], counts: boolean): CaseComparison => {
      const comparison = compareArms(take('off', off, counts), take('on', on, counts))
      if (comparison === null) throw new Error('nothing compared')
      return { caseId: 'rr', arm: 'on', against: 'off', comparison }
    }
    const here = comparisonOf([100, 101, 102, 103, 104], [110, 112, 113, 115, 118], false)
    const there = comparisonOf([205.5, 205.6, 205.6, 205.7, 205.6], [229.3, 229.5, 229.4, 229.6, 229.5], true)
    const [one] = opinionsOf([here], foundThere([there]))
    expect(one).toMatchObject({ agreement: 'same', here: { metric: 'tps' }, counted: { metric: 'countedTps' } })
    expect(one?.sentence).toMatch(/^11 % faster here \(\d+ to \d+\); 10\.4 % fewer instructions \(/)
  })
})

describe('the tally', () => {
  test('has each agreement once, in its order, with its opinions in theirs', () => {
    const all = opinionsOf(
      ['on', 'netkit', 'xdp'].map((arm) => compared(arm === 'netkit' ? alike : faster, arm)),
      foundThere(['on', 'xdp'].map((arm) => compared({ ...fewer, metric: 'countedTps' }, arm))),
    )
    expect(talliesOf(all).map((one) => [one.agreement, one.of.map(({ arm }) => arm)])).toEqual([
      ['same', ['on', 'xdp']],
      ['missing', ['netkit']],
    ])
    expect(tallySentence(all)).toBe('Second opinion: both say so: 2 of 3; not measured there: 1 of 3.')
    expect(tallySentence(all.slice(0, 1))).toBe('')
  })
})

describe('values that were not as expected on the counted machine', () => {
  test('are mentioned with each meaning, but not where it measured nothing', () => {
    const here = [compared(faster), compared(faster, 'netkit')]
    const there = foundThere([compared({ ...fewer, metric: 'countedTps' })], false)
    const [on, netkit] = opinionsOf(here, there)
    expect(on?.meaning).toMatch(/^Both say the same\..* some values were not as expected for their arm\.$/)
    expect(netkit?.meaning).toBe('The counted machine did not measure this.')
  })
})
