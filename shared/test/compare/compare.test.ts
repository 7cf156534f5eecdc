import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ComparedRow, Comparison } from '../../src/compare/comparison.ts'
import { compareArms } from '../../src/compare/compare.ts'
import type { Measurement } from '../../src/measure/measurement.ts'
import { histogramBucket } from '../../src/measure/common-metrics.ts'
import { measured, streamed } from '../builders.ts'

function arm(name: string, tps: readonly number[], { values, ...over }: Parameters<typeof measured>[0] = {}) {
  return tps.map((one, index) => measured({ arm: name, repeat: index + 1, ...over, values: { tps: one, ...values } }))
}

/** Two arms in ABBA blocks, with the runs' positions in the common order. */
function abba(off: readonly number[], on: readonly number[], drift = 1) {
  const place = (index: number, first: boolean): number => 2 * index + (first === (index % 2 === 0) ? 1 : 2)
  const taken = (name: string, values: readonly number[], first: boolean): Measurement[] =>
    values.map((value, index) => {
      const repeat = place(index, first)
      return measured({ values: { tps: value * drift ** repeat }, arm: name, repeat })
    })
  return [taken('off', off, true), taken('on', on, false)] as const
}

function rowOf(comparison: Comparison | null, metric = 'tps'): ComparedRow {
  const row = comparison?.rows.find((one) => one.metric === metric)
  if (row === undefined) throw new Error(`no ${metric}`)
  return row
}

const slow = [12_191, 12_000, 12_350, 11_900, 12_400, 12_100, 12_250, 11_800]
const fast = slow.map((tps) => tps * 1.25)
const positive = fc.integer({ min: 1000, max: 50_000 })
const runs = fc.array(positive, { minLength: 4, maxLength: 12 })
const opposite = { improved: 'worse', worse: 'improved', 'no-difference': 'no-difference', 'too-few': 'too-few' }

describe('compareArms', () => {
  it('claims a clear difference, with its figures for people and for engineers', () => {
    const comparison = compareArms(arm('off', slow), arm('on', fast), { subject: '80,000-byte requests over IPv4' })
    expect(rowOf(comparison)).toMatchObject({ verdict: 'improved', better: 'more', effectSize: 1, resolution: null })
    expect(rowOf(comparison).ratio).toBeCloseTo(1.25, 10)
    expect(comparison?.verdict).toBe('improved')
    expect(comparison?.sentence).toMatch(
      /^80,000-byte requests over IPv4\. Without BIG TCP: 12,146 TPS\. .* faster: \+25\.0 %/,
    )
    expect(comparison?.technical).toMatch(/Mann-Whitney U = 64 of 64, two-sided p < 0\.001 \(exact\).*seed \d+.*n = 8/)
    const back = compareArms(arm('off', fast), arm('on', slow))
    expect(back?.verdict).toBe('worse')
    expect(back?.sentence).toContain('slower: −20.0 %')
  })

  it('claims no difference between equal arms', () => {
    const comparison = compareArms(arm('off', slow), arm('on', slow.toReversed()))
    expect(comparison?.verdict).toBe('no-difference')
    expect(comparison?.sentence).toContain('No significant difference')
  })

  it('gives no verdict below 4 runs per arm, however clear', () => {
    const few = compareArms(arm('off', slow.slice(0, 3)), arm('on', fast))
    expect(rowOf(few)).toMatchObject({ verdict: 'too-few', interval: null, p: null, effectSize: null })
    expect(few?.sentence).toContain('each side needs at least 4')
    expect(rowOf(compareArms(arm('off', slow.slice(0, 4)), arm('on', fast.slice(0, 4))))).toMatchObject({
      verdict: 'improved',
      p: 2 / 70,
    })
  })

  it('counts warm-ups and leaves them out', () => {
    const cold = measured({ values: { tps: 1 }, warmup: true })
    const comparison = compareArms([cold, ...arm('off', slow)], arm('on', fast))
    expect(comparison?.off).toMatchObject({ runs: 8, warmups: 1 })
    expect(rowOf(comparison).offValues).toEqual(slow)
    expect(comparison?.technical).toContain('after 1 and 0 warm-ups')
  })

  it('needs both arms, and leaves out what an arm did not measure', () => {
    expect(compareArms([], arm('on', fast))).toBeNull()
    expect(compareArms(arm('off', slow), [])).toBeNull()
    const without = compareArms(arm('off', slow, { values: { packetsPerRequest: null } }), arm('on', fast))
    expect(without?.rows.map(({ metric }) => metric)).not.toContain('packetsPerRequest')
  })

  it('compares streams by throughput, and CPU by what a gigabit costs', () => {
    const off = slow.map((one) => streamed({ values: { throughput: one * 1e6 } }))
    const on = slow.map((one) =>
      streamed({
        arm: 'on',
        values: { throughput: one * 1.3e6, cpuSecondsPerGigabit: 0.05, bytesPerPacket: 80_000 },
      }),
    )
    const comparison = compareArms(off, on)
    expect(comparison?.rows.map(({ metric, verdict }) => [metric, verdict])).toEqual([
      ['throughput', 'improved'],
      ['bytesPerPacket', 'no-difference'],
      ['cpuSecondsPerGigabit', 'improved'],
    ])
  })
})

describe("netperf's histogram", () => {
  it.each([
    [9, 1],
    [10, 1],
    [99, 1],
    [100, 10],
    [999, 10],
    [1000, 100],
    [9_900, 100],
  ])('has at %i µs a step of %i µs', (value, step) => {
    expect(histogramBucket(value)).toBe(step)
  })

  const p99 = (value: number) => ({ values: { p99: value } })

  it('makes no claim below its bucket', () => {
    const comparison = compareArms(arm('off', slow, p99(161)), arm('on', slow, p99(151)), { only: ['p99'] })
    expect(rowOf(comparison, 'p99')).toMatchObject({ verdict: 'no-difference', resolution: 10 })
    expect(rowOf(comparison, 'p99').p).toBeLessThan(0.001)
    expect(comparison?.sentence).toContain('resolution is 10 µs')
    const more = compareArms(arm('off', slow, p99(190)), arm('on', slow, p99(150)), { only: ['p99'] })
    expect(rowOf(more, 'p99').verdict).toBe('improved')
  })

  it('never makes an interval narrower than its bucket', () => {
    const at = fc.integer({ min: 10, max: 9_900 })
    fc.assert(
      fc.property(at, at, (first, second) => {
        const row = rowOf(
          compareArms(arm('off', slow, p99(first)), arm('on', slow, p99(second)), { only: ['p99'] }),
          'p99',
        )
        const { low = Number.NaN, high = Number.NaN } = row.interval ?? {}
        expect((high - low) * row.off).toBeGreaterThanOrEqual(histogramBucket(row.on) * 0.999)
        expect((1 / low - 1 / high) * row.on).toBeGreaterThanOrEqual(histogramBucket(row.off) * 0.999)
        if (Math.abs(first - second) <= (row.resolution ?? 0)) expect(row.verdict).toBe('no-difference')
      }),
    )
  })
})

describe('drift', () => {
  const noise = [1.01, 0.99, 1.005, 0.995, 1.012, 0.988, 1.003, 0.997]
  const level = noise.map((one) => one * 12_000)

  it('is reported and removed if both arms of an interleaved design share it', () => {
    const [off, on] = abba(
      level,
      level.map((tps) => tps * 1.1),
      0.98,
    )
    const comparison = compareArms(off, on, { order: 'interleaved' })
    expect(comparison?.off.drift?.percent).toBeLessThan(-20)
    expect(rowOf(comparison).verdict).toBe('improved')
    expect(rowOf(comparison).ratio).toBeCloseTo(1.1, 1)
    expect(comparison?.sentence).toContain('This trend is removed')
    expect(comparison?.technical).toContain('common trend removed')
  })

  it('within one arm of a sequential design is reported with a warning', () => {
    const sinking = level.map((tps, index) => tps * 0.95 ** index)
    const comparison = compareArms(arm('off', sinking), arm('on', level))
    expect(comparison?.off.drift?.percent).toBeLessThan(-20)
    expect(comparison?.on.drift).toBeNull()
    expect(comparison?.sentence).toContain('Arms that take turns avoid that')
  })
})

describe('properties', () => {
  const shuffled = runs.chain((values) =>
    fc.tuple(fc.constant(values), fc.shuffledSubarray(values, { minLength: values.length })),
  )

  it('in a sequential design, the order of an arm’s runs only changes the drift', () => {
    fc.assert(
      fc.property(shuffled, shuffled, ([off, off2], [on, on2]) => {
        const only = { only: ['tps'] } as const
        const { offValues: _o, onValues: _n, ...row } = rowOf(compareArms(arm('off', off), arm('on', on), only))
        expect(rowOf(compareArms(arm('off', off2), arm('on', on2), only))).toMatchObject(row)
      }),
    )
  })

  it('the unit changes nothing but the medians', () => {
    // Powers of two scale floating-point numbers exactly.
    fc.assert(
      fc.property(runs, runs, fc.constantFrom(0.25, 2, 1024), (off, on, scale) => {
        const scaled = (values: number[]): number[] => values.map((value) => value * scale)
        const only = { only: ['tps'] } as const
        const one = rowOf(compareArms(arm('off', off), arm('on', on), only))
        const other = rowOf(compareArms(arm('off', scaled(off)), arm('on', scaled(on)), only))
        const { ratio, interval, p, effectSize, verdict } = one
        expect(other).toMatchObject({ ratio, interval, p, effectSize, verdict })
      }),
    )
  })

  it('exchanged arms give the inverse', () => {
    fc.assert(
      fc.property(runs, runs, (off, on) => {
        const only = { only: ['tps'] } as const
        const there = rowOf(compareArms(arm('off', off), arm('on', on), only))
        const back = rowOf(compareArms(arm('on', on), arm('off', off), only))
        expect(back.ratio).toBeCloseTo(1 / there.ratio, 10)
        expect(back.effectSize).toBeCloseTo(-(there.effectSize ?? Number.NaN), 10)
        expect(back.p).toBeCloseTo(there.p ?? Number.NaN, 10)
        expect(back.interval?.low).toBeCloseTo(1 / (there.interval?.high ?? Number.NaN), 10)
        expect(back.interval?.high).toBeCloseTo(1 / (there.interval?.low ?? Number.NaN), 10)
        expect(back.verdict).toBe(opposite[there.verdict])
      }),
    )
  })

  it('the interval contains the ratio in any design, and a claim’s interval does not contain 1', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 4, max: 10 }),
        fc.boolean(),
        fc.infiniteStream(positive),
        (count, inTurns, values) => {
          const [off, on] = [[...values.take(count)], [...values.take(count)]]
          const comparison = inTurns
            ? compareArms(...abba(off, on), { order: 'interleaved' })
            : compareArms(arm('off', off), arm('on', on))
          for (const { ratio, interval, verdict, p } of comparison?.rows ?? []) {
            const { low = Number.NaN, high = Number.NaN } = interval ?? {}
            expect(low).toBeLessThanOrEqual(ratio)
            expect(high).toBeGreaterThanOrEqual(ratio)
            if (verdict === 'improved' || verdict === 'worse') {
              expect(low > 1 || high < 1).toBe(true)
              expect(p).toBeLessThan(0.05)
            }
          }
        },
      ),
    )
  })

  it('the same measurements always give the same comparison', () => {
    fc.assert(
      fc.property(runs, runs, (off, on) => {
        const once = compareArms(arm('off', off), arm('on', on))
        expect(compareArms(arm('off', off), arm('on', on))).toEqual(once)
      }),
    )
  })
})
