import { pacedRules, type PacedRun } from '@expresslane/shared/features/nodeport/forward-paced'
import { expect, test } from 'vitest'
import { keptRun } from '../../../src/features/nodeport/paced-runs.ts'

const good: PacedRun = { offered: 1_000, sent: 1_000, arrived: 990, idlePercent: 60, waitingPercent: 1 }
const waited: PacedRun = { ...good, waitingPercent: 34.2 }

const many = (run: PacedRun): PacedRun[] => Array.from({ length: pacedRules.attempts }, () => run)

/** Makes these runs in turn. */
function making(...runs: readonly PacedRun[]): { make: () => Promise<PacedRun>; left: PacedRun[] } {
  const left = [...runs]
  return { left, make: async () => left.shift() ?? good }
}

test('the first run that keeps the rules is kept, and the others are counted', async () => {
  const { make, left } = making(waited, waited, good, good)
  expect(await keptRun(make, false)).toEqual({ run: good, counts: true, discarded: 2 })
  expect(left).toHaveLength(1)
})

test('after ten runs it is over: later ones of an arm and case count for nothing', async () => {
  const { make, left } = making(...many(waited), good)
  expect(await keptRun(make, true)).toEqual({ run: waited, counts: false, discarded: 10 })
  expect(left).toHaveLength(1)
})

test.each<[string, PacedRun, string]>([
  ['a thread that waits', waited, 'waited for its CPU for 34 % of the time. The limit is 10 %.'],
  ['a sender that hardly had its turn', { ...good, sent: 90 }, 'only 9 % of the packets were sent. The limit is 10 %.'],
  [
    'lost packets',
    { ...good, arrived: 931 },
    '7 % of the packets were lost while the thread had time. The limit is 5 %.',
  ],
])('the first of them ends the measurement, and says why: %s', async (_, run, reason) => {
  const { make } = making(...many(run))
  const error: unknown = await keptRun(make, false).catch((one: unknown) => one)
  expect(error).toMatchObject({ code: 'machine_busy' })
  expect(String(error)).toContain('10 runs were discarded. In the last one, ')
  expect(String(error)).toContain(reason)
})
