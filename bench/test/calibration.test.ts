/** The comparison held against what was measured, and against known truths: `npm run bench -- calibrate` does it at length. */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { seeded } from '@expresslane/shared/compare/stats/random'
import {
  compareAaSeries,
  judgeAaSeries,
  parseAaSeries,
  relabelled,
  withEffect,
  type AaSeries,
} from '../src/calibrate/aa-series.ts'
import { repeatedFor } from '../src/calibrate/aa-nodeport.ts'
import { countedApart, countedCases, countedClaims, countedRepeated } from '../src/calibrate/aa-counted.ts'
import { compareValuesSeries, parseValuesSeries } from '../src/calibrate/aa-values.ts'
import { compareAaSweeps, judgeAaSweeps } from '../src/calibrate/aa-sweeps.ts'
import { judgeTruth, type Truth } from '../src/calibrate/simulate.ts'
import { claimsOf, judgeSweeps, simulateSweep, type SweepTruth } from '../src/calibrate/sweep.ts'

const usual: Truth = { order: 'interleaved', repeats: 8, ratio: 1.1, spread: 0.037, drift: 0, outliers: 0.05 }
const usualSweep: SweepTruth = { repeats: 6, gain: 0, spread: 0.037, firstSpread: 1, drift: 0, outliers: 0.05 }

function seriesOf(file: string): AaSeries {
  return parseAaSeries(readFileSync(new URL(`./fixtures/${file}.jsonl`, import.meta.url), 'utf8'))
}

describe('arms that do not differ', () => {
  it.each([
    ['before the placement of CPUs', 'aa-netns'],
    ['at the default, under load', 'aa-one-cpu'],
    ['at the default, on a quiet machine', 'aa-one-cpu-quiet'],
  ])('end in a claim in at most 5 % of the comparisons taken on the netns testbed: %s', (_name, file) => {
    const judged = judgeAaSeries(compareAaSeries(seriesOf(file)))
    const [tps] = judged.filter(({ metric }) => metric === 'tps')
    if (tps === undefined) throw new Error('no TPS in the series')
    expect((tps.improved + tps.worse) / tps.comparisons).toBeLessThanOrEqual(0.05)
  })

  it('both report a drift of the machine, and the drift is removed', () => {
    const drifting = judgeTruth({ ...usual, ratio: 1, drift: -0.3 }, 200, 3)
    expect(drifting.drifted).toBeGreaterThan(0.95)
    expect(drifting.improved + drifting.worse).toBeLessThanOrEqual(0.06)
    expect(judgeTruth({ ...usual, ratio: 1 }, 200, 3).drifted).toBeLessThan(0.12)
  })
})

describe('a NodePort hook compared with itself', () => {
  const folder = new URL('./fixtures/', import.meta.url)
  const files = readdirSync(folder).filter((name) => name.startsWith('aa-nodeport-'))

  /** A line of one comparison, whose second arm costs so many times as much. */
  function lineOf(ratio: number, metric = 'cpuPerNewFlow'): string {
    const runs = ['a', 'b', 'b', 'a', 'a', 'b', 'b', 'a'].map((arm, place) => [
      arm,
      { [metric]: (5 + place / 100) * (arm === 'b' ? ratio : 1) },
    ])
    return JSON.stringify({ at: 1_795_259_461_737, runs })
  }

  it('is kept with its plan and its values, and judged as the app does', () => {
    const design = { tool: 'new-flows', services: 100, repeats: 4, seconds: 0.5 }
    const header = {
      plan: repeatedFor('iptables', design).plan,
      kernel: '6.18',
      cpu: { model: 'c', count: 2 },
      versions: {},
    }
    const text = [JSON.stringify(header), lineOf(1), lineOf(1.5), lineOf(0.5), '{"at":'].join('\n')
    const series = parseValuesSeries(text)
    const comparisons = compareValuesSeries(series)
    expect(series.header.plan.arms.map(({ settings }) => settings)).toEqual(
      [1, 2].map(() => ({ 'nodeport-hook': 'iptables', 'nodeport-services': 100 })),
    )
    expect(comparisons.map(({ verdict }) => verdict)).toEqual(['no-difference', 'worse', 'improved'])
    expect(judgeAaSeries(comparisons)).toMatchObject([
      { metric: 'cpuPerNewFlow', comparisons: 3, improved: 1, worse: 1, covered: 1 },
    ])
  })

  it('ends in a claim in at most 5 % of the comparisons that were kept', () => {
    for (const file of files) {
      const series = parseValuesSeries(readFileSync(new URL(file, folder), 'utf8'))
      const [main] = judgeAaSeries(compareValuesSeries(series))
      if (main === undefined) throw new Error(`${file} has no comparisons`)
      expect((main.improved + main.worse) / main.comparisons, series.header.plan.arms[0]?.label).toBeLessThanOrEqual(
        0.05,
      )
    }
  })
})

describe('the counted machine compared with itself', () => {
  const header = {
    plan: countedRepeated(countedCases['big-tcp']).plan,
    kernel: '6.12',
    cpu: { model: 'c', count: 1 },
    versions: {},
  }
  /** A comparison on one machine, whose values differ by thousandths within an arm. */
  const lineOf = (a: number, b: number): string =>
    JSON.stringify({
      at: 1_795_259_461_737,
      runs: [a, b].flatMap((level, arm) =>
        [0, 1, 2, 3].map((place) => [arm === 0 ? 'a' : 'b', { countedTps: level * (1 + place / 2_000) }]),
      ),
    })
  // The second machine differs from the first by 2 %, and each agrees with itself.
  const series = parseValuesSeries(
    `${[JSON.stringify(header), lineOf(1_000, 1_000), lineOf(1_020, 1_020)].join('\n')}\n`,
  )

  it('is judged within each experiment, and between two machines', () => {
    const { within, across } = countedApart(series)
    expect(within).toMatchObject({ pairs: 2, most: 0 })
    expect(across.pairs).toBe(2)
    expect(across.most).toBeCloseTo(0.02, 3)
    expect(countedClaims(series, 'countedTps', 1)).toEqual({ within: 0, across: 1 })
  })

  it.each(Object.keys(countedCases))('claims nothing in the series that was kept, and finds 2 %%: %s', (name) => {
    const file = new URL(`./fixtures/aa-counted-${name}.jsonl`, import.meta.url)
    const measured = parseValuesSeries(readFileSync(file, 'utf8'))
    const none = countedClaims(measured, 'countedTps', 1)
    expect([none.within, none.across]).toEqual([0, 0])
    // Across two experiments each is compared with each: a part of them is enough.
    const found = countedClaims({ ...measured, lines: measured.lines.slice(0, 12) }, 'countedTps', 1.02)
    expect(Math.min(found.within, found.across)).toBeGreaterThanOrEqual(0.95)
  })

  it('finds an effect above the resolution, and none below it', () => {
    expect(countedClaims(series, 'countedTps', 1.02).within).toBe(1)
    expect(countedClaims(series, 'countedTps', 1.004).within).toBe(0)
  })
})

describe('sweeps whose arms do not differ', () => {
  const falseSweeps = (over: Partial<SweepTruth>): number =>
    judgeSweeps(200, 1, (random) => simulateSweep({ ...usualSweep, ...over }, random), claimsOf, false).falseSweeps

  it.each([
    ['noise alone', { spread: 0.047, outliers: 0 }],
    ['outliers', {}],
    ['drift', { drift: -0.2 }],
  ])('make any claim in at most 5 % of 200: %s', (_name, over) => {
    expect(falseSweeps(over)).toBeLessThanOrEqual(0.05)
  })

  it('make any claim in at most 5 % of those taken on the netns testbed', () => {
    const text = readFileSync(new URL('./fixtures/aa-sweeps-netns.jsonl', import.meta.url), 'utf8')
    const { sweeps, withClaims } = judgeAaSweeps(compareAaSweeps(text))
    expect(sweeps).toBeGreaterThanOrEqual(20)
    expect(withClaims / sweeps).toBeLessThanOrEqual(0.05)
  })
})

it('a sweep finds +15 % in most cells, and +20 % in almost all, with its default number of repeats', () => {
  const found = (gain: number): number => {
    const truth = { ...usualSweep, gain }
    return judgeSweeps(60, 2, (random) => simulateSweep(truth, random), claimsOf, true).found
  }
  expect(found(0.15)).toBeGreaterThan(0.75)
  expect(found(0.2)).toBeGreaterThan(0.92)
})

it('a true +5 % is found at the default design with the noise of one CPU', () => {
  for (const over of [{ spread: 0.0235, outliers: 0 }, { spread: 0.0185 }]) {
    const judged = judgeTruth({ ...usual, ...over, ratio: 1.05 }, 400, 2)
    expect(judged.improved).toBeGreaterThan(0.88)
    expect(judged.worse).toBe(0)
  }
})

it('a true +5 % is found in 90 % of the comparisons that were taken on a quiet machine', () => {
  const comparisons = compareAaSeries(withEffect(seriesOf('aa-one-cpu-quiet'), 1.05))
  const found = comparisons.filter(({ verdict }) => verdict === 'improved')
  expect(comparisons).toHaveLength(200)
  expect(found.length / comparisons.length).toBeGreaterThanOrEqual(0.9)
})

describe('more comparisons from the runs of equal arms', () => {
  const series = seriesOf('aa-netns')
  const drawn = relabelled(series, 300, seeded(1))

  it('have as many runs in each arm, and make as few claims', () => {
    const arms = drawn.lines[0]?.runs.map(([arm]) => arm) ?? []
    expect(arms.filter((arm) => arm === 'a')).toHaveLength(8)
    expect(arms).toHaveLength(16)
    const claims = compareAaSeries(drawn).filter(({ verdict }) => verdict !== 'no-difference')
    expect(claims.length / 300).toBeLessThanOrEqual(0.05)
  })

  it('show an effect that is added to them', () => {
    const found = compareAaSeries(withEffect(drawn, 4)).filter(({ verdict }) => verdict === 'improved')
    expect(found.length / 300).toBeGreaterThan(0.9)
  })
})

describe('a true +10 %', () => {
  // 600 experiments: their own chance is some 2 percentage points of coverage, within which the bounds are held.
  it.each([
    ['noise alone', { spread: 0.047, outliers: 0 }],
    ['outliers', {}],
    ['drift', { drift: -0.1 }],
  ])('is found at the default design, and lies in the interval: %s', (_name, over) => {
    const judged = judgeTruth({ ...usual, ...over }, 600, 2)
    expect(judged.covered).toBeGreaterThan(0.93)
    expect(judged.covered).toBeLessThan(0.98)
    expect(judged.improved).toBeGreaterThan(0.88)
    expect(judged.worse).toBe(0)
  })
})
