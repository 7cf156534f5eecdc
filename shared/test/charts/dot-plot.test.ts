import { expect, it } from 'vitest'
import { stackDots } from '../../src/charts/room-chart.ts'

it('stacks the dots that would overlap, and keeps their order', () => {
  expect(stackDots([10, 50, 12, 11, 22], 10)).toEqual([
    { x: 10, level: 0 },
    { x: 50, level: 0 },
    { x: 12, level: 2 },
    { x: 11, level: 1 },
    { x: 22, level: 0 },
  ])
})

it('leaves no two dots on each other', () => {
  const dots = stackDots([1, 1, 1, 2, 3, 5, 8, 8.5, 9, 1.5], 2)
  for (const [index, a] of dots.entries()) {
    for (const b of dots.slice(index + 1)) expect(a.level !== b.level || Math.abs(a.x - b.x) >= 2).toBe(true)
  }
})
