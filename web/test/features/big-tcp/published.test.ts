import { describe, expect, it } from 'vitest'
import { publishedBeside, publishedResults } from '../../../src/features/big-tcp/published/published.ts'

describe('published results', () => {
  it('have distinct ids, and ratios that follow from the figures', () => {
    expect(new Set(publishedResults.map(({ id }) => id)).size).toBe(publishedResults.length)
    for (const { figures } of publishedResults) {
      for (const { metric, off, on, ratio } of figures) {
        if (off !== null && on !== null) expect(ratio).toBeCloseTo(on / off, 9)
        if (metric === 'p99') expect(ratio).toBeLessThan(1)
        else expect(ratio).toBeGreaterThan(1)
      }
    }
  })

  it('are shown next to a comparison of the same metric, the same family first', () => {
    const beside = publishedBeside(['tps', 'p50'], 'ipv6')
    expect(beside.map(({ figure }) => figure.metric)).toEqual(Array.from({ length: 7 }, () => 'tps'))
    expect(beside.map(({ result }) => result.family === 'ipv6').lastIndexOf(true)).toBe(2)
    expect(publishedBeside(['throughput'], 'ipv4')).toHaveLength(1)
    expect(publishedBeside(['cpuSecondsPerGigabit'], 'ipv4')).toEqual([])
  })
})
