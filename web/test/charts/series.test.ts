import { timeSeries } from '@expresslane/shared/charts/time-series'
import { logged, repeatStarted, runOf, sample, started } from '@expresslane/shared/test/builders'
import { expect, it } from 'vitest'
import { lineKey, liveRows } from '../../src/charts/series.ts'

it('gives Recharts a row for each point, with a key for each repeat', () => {
  const { repeats } = runOf(
    logged([started(), repeatStarted(1), sample(0.25, 100), repeatStarted(2), sample(0.25, 90, 2)]),
  )
  const rows = liveRows(timeSeries(repeats, 'tps', { planned: true }))
  expect(rows).toEqual([
    { at: 0.25, r1: 100 },
    { at: 10.25, [lineKey(2)]: 90 },
  ])
})
