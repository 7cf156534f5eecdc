import { expect, test } from 'vitest'
import { formatEffectSize } from '../../src/base/units.ts'

test.each([
  [-1, '−1.00'],
  [-0.92, '−0.92'],
  [-0.001, '0.00'],
  [0, '0.00'],
  [0.5, '0.50'],
])('an effect size of %d has a minus sign, and no hyphen', (size, text) => {
  expect(formatEffectSize(size)).toBe(text)
})
