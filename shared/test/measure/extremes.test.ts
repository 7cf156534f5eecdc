import { expect, it } from 'vitest'
import { maxOf, minOf } from '../../src/measure/extremes.ts'

it('takes more values than a call can have arguments', () => {
  const many = Array.from({ length: 1_000_000 }, (_, index) => index)
  expect([maxOf(many), minOf(many)]).toEqual([999_999, 0])
})

it('gives the bound for no values, and NaN for an unknown one', () => {
  expect([maxOf([], 0), minOf([], 5), maxOf([-1], 0), minOf([9], 5)]).toEqual([0, 5, 0, 5])
  expect(maxOf([1, Number.NaN])).toBeNaN()
})
