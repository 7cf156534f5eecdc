import { describe, expect, test } from 'vitest'
import { movesBetween, tableBalancers, tableOf, type Move } from '../../../src/features/load-balancing/balancers.ts'
import { bucketCounts } from '../../../src/features/load-balancing/settings.ts'

const sharesOf = (table: readonly number[], backends: number): number[] =>
  Array.from({ length: backends }, (_, index) => table.filter((one) => one === index + 1).length)

const movedOf = (moves: readonly Move[], kind: Move): number => moves.filter((one) => one === kind).length

describe.each(bucketCounts)('%d buckets', (buckets) => {
  test.each(tableBalancers)('%s fills each bucket with one of the backends, the same each time', (balancer) => {
    for (const backends of [1, 2, 5, 6]) {
      const table = tableOf(balancer, backends, buckets)
      expect(table).toHaveLength(buckets)
      expect(sharesOf(table, backends).reduce((sum, one) => sum + one, 0)).toBe(buckets)
      expect(tableOf(balancer, backends, buckets)).toEqual(table)
    }
  })

  test('Maglev and modulo give each backend the same share, to one bucket', () => {
    for (const balancer of ['maglev', 'modulo'] as const) {
      const shares = sharesOf(tableOf(balancer, 5, buckets), 5)
      expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1)
    }
  })

  test('with rendezvous only the buckets of the backend that leaves move', () => {
    const before = tableOf('rendezvous', 5, buckets)
    const moves = movesBetween(before, tableOf('rendezvous', 4, buckets))
    expect(movedOf(moves, 'needless')).toBe(0)
    expect(movedOf(moves, 'needed')).toBe(sharesOf(before, 5)[4])
    expect(movedOf(movesBetween(before, tableOf('rendezvous', 6, buckets)), 'needless')).toBe(0)
  })

  test('with Maglev few others move, and with modulo most of them', () => {
    const needless = (balancer: 'maglev' | 'modulo'): number =>
      movedOf(movesBetween(tableOf(balancer, 5, buckets), tableOf(balancer, 4, buckets)), 'needless') / buckets
    expect(needless('maglev')).toBeGreaterThan(0)
    expect(needless('maglev')).toBeLessThan(0.1)
    // Of the four fifths that could stay, a quarter does.
    expect(needless('modulo')).toBeCloseTo(0.6, 1)
  })
})

test('a larger Maglev table moves fewer buckets without need', () => {
  const [small = 0, , large = 0] = bucketCounts.map((buckets) => {
    const moves = movesBetween(tableOf('maglev', 5, buckets), tableOf('maglev', 4, buckets))
    return movedOf(moves, 'needless') / buckets
  })
  expect(large).toBeLessThan(small)
})
