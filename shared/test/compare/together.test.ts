import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareTogether, type TakenArm, type TakenCase } from '../../src/compare/cases.ts'
import type { CaseComparison } from '../../src/compare/comparison.ts'
import { judgeTogether } from '../../src/compare/together.ts'
import { measured } from '../builders.ts'

const BASE = [100, 102, 98, 101, 99, 100]
const scaled = (values: readonly number[], factor: number): number[] => values.map((value) => value * factor)

/** Arms of one case in the order of their visits: forwards, then backwards. */
function arms(values: readonly (readonly number[])[]): TakenArm[] {
  return values.map((tps, arm) => ({
    id: `arm-${arm}`,
    name: `arm ${arm}`,
    taken: tps.map((value, round) => {
      const place = round % 2 === 0 ? arm : values.length - 1 - arm
      return measured({ arm: `arm-${arm}`, repeat: round * values.length + place + 1, values: { tps: value } })
    }),
  }))
}

function caseOf(caseId: string, values: readonly (readonly number[])[]): TakenCase {
  const [first, ...others] = arms(values)
  if (first === undefined) throw new Error('a case has arms')
  return { caseId, subject: null, main: 'tps', first, others }
}

const compared = (cases: readonly TakenCase[], rows: 'main' | 'all' = 'main') =>
  compareTogether(cases, 'interleaved', rows)
const mainOf = (of: CaseComparison | undefined) => {
  const row = of?.comparison.rows[0]
  if (row === undefined) throw new Error('no row')
  return row
}

describe('the comparisons of one experiment', () => {
  it('are judged together: the p-value is adjusted, and the interval says the same', () => {
    const all = compared([caseOf('a', [BASE, scaled(BASE, 1.2), BASE.toReversed()]), caseOf('b', [BASE, BASE, BASE])])
    expect(all.map(({ comparison }) => comparison.verdict)).toEqual([
      'improved',
      'no-difference',
      'no-difference',
      'no-difference',
    ])
    const { control, technical } = all[0]?.comparison ?? {}
    expect(control).toEqual({ method: 'dunnett-sidak', comparisons: 4 })
    expect(technical).toMatch(/adjusted p = 0\.002.*simultaneous 95 % interval .*Dunnett.*4 comparisons/)
    expect(mainOf(all[0]).adjustedP).toBeGreaterThanOrEqual(mainOf(all[0]).p ?? 1)
  })

  it('need more of a difference than one comparison by itself', () => {
    const slower = [96.8, 98.4, 97.9, 97.2, 98.9, 98.6]
    const [alone] = compared([caseOf('a', [BASE, slower])])
    const [among] = compared([
      caseOf('a', [BASE, slower, BASE, BASE, BASE]),
      ...'bcdefg'.split('').map((id) => caseOf(id, [BASE, BASE, BASE, BASE, BASE])),
    ])
    expect(alone?.comparison.control).toEqual({ method: 'none', comparisons: 1 })
    expect(mainOf(alone)).toMatchObject({ verdict: 'worse', adjustedP: null })
    expect(mainOf(among).p).toBe(mainOf(alone).p)
    expect(mainOf(among).verdict).toBe('no-difference')
  })

  it('have one verdict each; other metrics are exploratory, or explain', () => {
    const first = caseOf('a', [BASE, scaled(BASE, 1.2), BASE])
    const withLatency = (arm: TakenArm): TakenArm => ({
      ...arm,
      taken: arm.taken.map((one) => ({ ...one, values: { ...one.values, p99: 50, packetsPerRequest: 2 } })),
    })
    const both = { ...first, first: withLatency(first.first), others: first.others.map(withLatency) }
    const rows = compared([both], 'all')[0]?.comparison.rows ?? []
    const roles = Object.fromEntries(rows.map(({ metric, role, adjustedP }) => [metric, [role, adjustedP !== null]]))
    expect(roles).toMatchObject({
      tps: ['verdict', true],
      p99: ['exploratory', false],
      packetsPerRequest: ['explains', false],
    })
  })

  it('without logarithms are never a claim, and others are judged without them', () => {
    const dead = [0, 0, 0, 0, 0, 0]
    const all = compared([caseOf('a', [BASE, dead, scaled(BASE, 1.3)])])
    expect(mainOf(all[0])).toMatchObject({ verdict: 'no-difference', interval: null })
    expect(mainOf(all[1]).verdict).toBe('improved')
  })

  it('with too few runs have no verdict', () => {
    const few = BASE.slice(0, 3)
    expect(mainOf(compared([caseOf('a', [few, few, few])])[0])).toMatchObject({ verdict: 'too-few', adjustedP: null })
  })

  it('lose a trend that all arms of a case share', () => {
    const drifting = (factor: number, arm: number): number[] =>
      BASE.map((value, round) => value * factor * 0.98 ** (round * 3 + (round % 2 === 0 ? arm : 2 - arm)))
    const [one, other] = compared([caseOf('a', [drifting(1, 0), drifting(1.2, 1), drifting(1, 2)])])
    expect(one?.comparison.off.drift).not.toBeNull()
    expect(mainOf(one).verdict).toBe('improved')
    expect(mainOf(other).verdict).toBe('no-difference')
  })
})

const value = fc.double({ min: 50, max: 200, noNaN: true })
const runs = fc.array(value, { minLength: 4, maxLength: 9 })
const oneCase = fc.record({ first: runs, others: fc.array(runs, { minLength: 1, maxLength: 4 }) })
const anyCases = fc
  .array(oneCase, { minLength: 1, maxLength: 4 })
  .map((cases) =>
    cases.map(({ first, others }) => ({ first, others: others.map((values, arm) => ({ arm: `${arm}`, values })) })),
  )

describe('the adjusted p-values', () => {
  it('are never below the rank test’s', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(runs, runs, runs), { minLength: 1, maxLength: 3 }), (cases) => {
        const all = compared(cases.map((values, index) => caseOf(`${index}`, values)))
        for (const one of all) expect(mainOf(one).adjustedP).toBeGreaterThanOrEqual(mainOf(one).p ?? 1)
      }),
      { numRuns: 20 },
    )
  })

  it('do not depend on the order of cases, arms or runs', () => {
    fc.assert(
      fc.property(anyCases, (cases) => {
        const straight = judgeTogether(cases)
        const turned = judgeTogether(
          cases
            .map(({ first, others }) => ({
              first: first.toReversed(),
              others: others.map((one) => ({ ...one, values: one.values.toReversed() })).toReversed(),
            }))
            .toReversed(),
        ).toReversed()
        for (const [index, judged] of straight.entries()) {
          for (const [arm, { p, interval }] of judged) {
            expect(turned[index]?.get(arm)?.p).toBeCloseTo(p, 9)
            expect(turned[index]?.get(arm)?.interval.low).toBeCloseTo(interval.low, 9)
          }
        }
      }),
      { numRuns: 20 },
    )
  })

  it('are below 5 % exactly where the simultaneous interval does not contain 1', () => {
    fc.assert(
      fc.property(anyCases, (cases) => {
        for (const { p, interval } of judgeTogether(cases).flatMap((judged) => [...judged.values()])) {
          if (Math.abs(p - 0.05) > 1e-5) expect(p < 0.05).toBe(interval.low > 1 || interval.high < 1)
        }
      }),
      { numRuns: 20 },
    )
  })

  it('grow with every further case, and shrink with the distance', () => {
    fc.assert(
      fc.property(anyCases, oneCase, ([first, ...rest], { first: base, others }) => {
        if (first === undefined) return
        const more = { first: base, others: others.map((values, arm) => ({ arm: `${arm}`, values })) }
        const [few, many] = [judgeTogether([first, ...rest]), judgeTogether([first, ...rest, more])]
        const far = { ...first, others: first.others.map((one) => ({ ...one, values: scaled(one.values, 1000) })) }
        const [further] = judgeTogether([far, ...rest])
        for (const [arm, { p }] of few[0] ?? []) {
          expect(many[0]?.get(arm)?.p).toBeGreaterThanOrEqual(p - 1e-12)
          expect(further?.get(arm)?.p).toBeLessThanOrEqual(p + 1e-12)
        }
      }),
      { numRuns: 20 },
    )
  })
})
