import { expect, test } from 'vitest'
import { isWorse, table } from '../house/house.mjs'
import { measures } from '../house/measures.mjs'

const row = { measure: 'lines', value: 10, bound: 5, reached: 10 }

test('a measure fails once it is worse than it was, and never below its bound', () => {
  expect(isWorse(row)).toBe(false)
  expect(isWorse({ ...row, value: 11 })).toBe(true)
  expect(isWorse({ ...row, value: 5, reached: 4 })).toBe(false)
})

test('the table says what holds, and what does not yet', () => {
  expect(table([{ ...row, value: 5 }, row, { ...row, value: 11, unit: 'kB' }]).slice(2)).toEqual([
    '| lines | 5 | <= 5 | holds |',
    '| lines | 10 | <= 5 | not yet (10 reached) |',
    '| lines | 11 kB | <= 5 | WORSE than 10 |',
  ])
})

test('every measure finds something to measure', () => {
  for (const { measure, value, found } of measures()) {
    if (found !== undefined) expect(found, measure).toHaveLength(value)
  }
  const [lines] = measures()
  expect(lines?.value).toBeGreaterThan(10_000)
})
