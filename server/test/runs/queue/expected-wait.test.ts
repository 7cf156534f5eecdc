/** How long a queued run will probably wait. */
import { describe, expect, it } from 'vitest'
import { expectedSeconds, expectedWait } from '../../../src/runs/queue/expected-wait.ts'

describe('the expected length of a step', () => {
  const plannedOf = ({ seconds }: { seconds?: number | undefined }): number | null => seconds ?? null

  it('is its plan, plus the time that earlier runs needed beyond their plan', () => {
    expect(expectedSeconds(plannedOf, { seconds: 10 }, [])).toBe(10)
    const lasted = [1, 2, 4].map((beyond) => ({ seconds: 3 + beyond, params: { seconds: 3 } }))
    expect(expectedSeconds(plannedOf, { seconds: 10 }, lasted)).toBe(12)
  })

  it('is its earlier duration, if it has no plan', () => {
    expect(expectedSeconds(() => null, {}, [])).toBeNull()
    const lasted = [1, 2, 4].map((seconds) => ({ seconds, params: {} }))
    expect(expectedSeconds(() => null, {}, lasted)).toBe(2)
  })

  it('is never negative', () => {
    expect(expectedSeconds(plannedOf, { seconds: 1 }, [{ seconds: 1, params: { seconds: 60 } }])).toBe(0)
  })
})

describe('expected wait', () => {
  it('is zero without runs ahead', () => {
    expect(expectedWait([], 0)).toBe(0)
  })

  it('is the rest of the running run, plus all waiting runs', () => {
    const running = { steps: [60, 10], startedAt: 100_000 }
    const waiting = { steps: [30], startedAt: null }
    expect(expectedWait([running], 120_000)).toBe(50)
    expect(expectedWait([running, waiting], 120_000)).toBe(80)
  })

  it('expects a run that takes longer than planned to end now, and its next steps to follow', () => {
    expect(expectedWait([{ steps: [60, 10], startedAt: 0 }], 300_000)).toBe(10)
  })

  it('is unknown if one duration is', () => {
    expect(
      expectedWait(
        [
          { steps: [60], startedAt: 0 },
          { steps: [10, null], startedAt: null },
        ],
        0,
      ),
    ).toBeNull()
  })
})
