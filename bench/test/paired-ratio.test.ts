import { normal, seeded } from '@expresslane/shared/compare/stats/random'
import { expect, test } from 'vitest'
import { pairedRatio } from '../src/support/paired-ratio.ts'

test('the interval holds the true ratio in 95 % of series, with disturbed pairs too', () => {
  const random = seeded(1)
  const series = 1_000
  let held = 0
  for (let one = 0; one < series; one += 1) {
    const ratios = Array.from({ length: 24 }, () => {
      const disturbed = random() < 0.1 ? (random() < 0.5 ? 1.3 : 1 / 1.3) : 1
      return 0.99 * Math.exp(0.03 * normal(random)) * disturbed
    })
    const found = pairedRatio(ratios)
    if (found !== null && found.low <= 0.99 && found.high >= 0.99) held += 1
  }
  expect(held / series).toBeGreaterThan(0.93)
  expect(held / series).toBeLessThan(0.97)
})

test('swapped sides give the inverse; a few pairs give nothing', () => {
  const ratios = [1.01, 0.97, 1.02, 0.99, 1.05, 1, 0.98, 1.03, 1.01, 0.96]
  const [found, swapped] = [pairedRatio(ratios), pairedRatio(ratios.map((one) => 1 / one))]
  if (found === null || swapped === null) throw new Error('no interval')
  expect([swapped.ratio, swapped.low, swapped.high].map((one) => 1 / one)).toEqual(
    [found.ratio, found.high, found.low].map((one) => expect.closeTo(one, 10) as unknown),
  )
  expect(pairedRatio(ratios.slice(1))).toBeNull()
})
