/** The search for the package with which a result changed. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bisect, type Levels } from '../../src/batches/bisect.ts'

const FLOOR = 0.005
const releases = Array.from({ length: 20 }, (_, index) => `6.12.${index + 1}`)

/** Releases from an index on have another level. */
function changedAt(index: number, levels: readonly [Levels, Levels], asked: string[] = []) {
  return (release: string): Promise<Levels | null> => {
    asked.push(release)
    return Promise.resolve(releases.indexOf(release) < index ? levels[0] : levels[1])
  }
}

const slower = [
  { on: 1000, ratio: 1.3 },
  { on: 900, ratio: 1.2 },
] as const

describe('a bisection', () => {
  it('finds each place, with few measurements', async () => {
    const place = fc.integer({ min: 1, max: releases.length - 1 })
    await fc.assert(
      fc.asyncProperty(place, async (index) => {
        const asked: string[] = []
        const found = await bisect(releases, changedAt(index, slower, asked), FLOOR)
        expect(found).toEqual({
          last: releases[index - 1],
          first: releases[index],
          by: 'on',
          before: 1000,
          after: 900,
          unmeasured: [],
        })
        expect(asked.length).toBeLessThanOrEqual(2 + 5)
        expect(new Set(asked).size).toBe(asked.length)
      }),
    )
  })

  it('goes by the ratio where only that changes', async () => {
    const levels = [slower[0], { on: 1001, ratio: 1.4 }] as const
    expect(await bisect(releases, changedAt(7, levels), FLOOR)).toMatchObject({ by: 'ratio', first: releases[7] })
  })

  it('refuses ends that do not differ', async () => {
    const alike = changedAt(7, [slower[0], { on: 1003, ratio: 1.303 }])
    await expect(bisect(releases, alike, FLOOR)).rejects.toMatchObject({
      code: 'bad_request',
      message: 'The two kernels differ by 0.30 %, and differences below 0.5 % do not count on the counted machine.',
    })
  })

  it('does without releases that can’t be measured, and names those at the place', async () => {
    const lacking = new Set([6, 7, 8, 10].map((index) => releases[index]))
    const measure = changedAt(8, slower)
    const found = await bisect(releases, (one) => (lacking.has(one) ? Promise.resolve(null) : measure(one)), FLOOR)
    expect(found).toMatchObject({ last: releases[5], first: releases[9] })
    expect(new Set(found.unmeasured)).toEqual(new Set([6, 7, 8].map((index) => releases[index])))
  })

  it('needs both ends', async () => {
    const none = bisect(releases, (one) => Promise.resolve(one === releases[0] ? slower[0] : null), FLOOR)
    await expect(none).rejects.toMatchObject({ code: 'bad_request' })
  })
})
