import { performance } from 'node:perf_hooks'
import { expect, it } from 'vitest'
import { addedBetween, clockOf } from '../src/support/queued.ts'

it('counts what each thread waited since the last look, and a new thread whole', () => {
  const before = new Map([
    ['1', 10],
    ['2', 500],
  ])
  const after = new Map([
    ['1', 14],
    ['3', 3],
  ])
  expect(addedBetween(before, after)).toBe(7)
})

it('is never ahead of the time that passes, and never goes back', () => {
  const began = performance.now()
  const clock = clockOf(process.pid)
  const times = Array.from({ length: 20 }, clock)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(times.at(-1)).toBeLessThanOrEqual(performance.now() - began)
})
