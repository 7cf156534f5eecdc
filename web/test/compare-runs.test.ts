import { describe, expect, it } from 'vitest'
import { compareRuns } from '../src/lab/compare-runs.ts'
import { ended, logged, measured, repeatStarted, runOf, started } from './samples.ts'

const run = (arm: 'off' | 'on', tps: number, over: Parameters<typeof measured>[0] = {}, id = 1) =>
  runOf(
    logged(
      [
        started(),
        repeatStarted(1, { arm }),
        { type: 'measurement.taken', measurement: measured({ arm, tps, ...over }) },
        ended,
      ],
      id * 10,
      `r_0000000${id}`,
    ),
  )

describe('compareRuns', () => {
  it('takes the first for before and says the difference', () => {
    const { comparison, differences, sentence } = compareRuns(run('off', 10_000), run('on', 15_000, {}, 2))
    expect(comparison?.rows[0]).toMatchObject({ metric: 'tps', off: 10_000, on: 15_000 })
    expect(sentence).toContain('+50.0 %')
    expect(differences).toEqual([])
  })

  it('says loudly what was not alike, and that one arm was measured twice', () => {
    const { differences } = compareRuns(run('on', 1), run('on', 2, { requestBytes: 1000 }, 2))
    expect(differences.join(' ')).toContain('80,000 / 80,000 bytes before, 1,000 / 80,000 bytes after')
    expect(differences.join(' ')).toContain('Both were measured with BIG TCP')
  })

  it('compares nothing with a run that finished no repeat', () => {
    const unfinished = runOf(logged([started(), repeatStarted()]))
    expect(compareRuns(unfinished, run('on', 2)).comparison).toBeNull()
  })
})
