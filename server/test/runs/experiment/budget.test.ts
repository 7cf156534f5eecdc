/** When an experiment with a time budget stops. */
import { MOST_RUNS, mostRepeats, runsOf } from '@expresslane/shared/measure/experiment'
import { describe, expect, it } from 'vitest'
import { BLOCK_ROUNDS, whyStopped } from '../../../src/runs/actions/budget.ts'
import { testClock } from '../../support/clock.ts'
import { openRig, type Rig } from '../../support/deps.ts'
import { createFakeTestbed } from '../../support/fakes/fake-testbed.ts'
import { orderOf, perform, planOf } from '../../support/runs/experiments.ts'

describe('a budget', () => {
  const budget = { widthPercent: 5, seconds: 60 }

  /** Ten seconds pass with each run. */
  function slowly(tps: (repeat: number) => number): Rig {
    const clock = testClock()
    const fake = createFakeTestbed()
    const rig = openRig({ clock, fakes: [fake] })
    rig.deps.log.subscribe(({ event }) => {
      if (event.type === 'repeat.started') fake.tps = tps(event.repeat)
      if (event.type === 'measurement.taken') clock.advance(10_000)
    })
    return rig
  }

  it('ends before a block that would exceed the seconds', async () => {
    const run = await perform(
      slowly((repeat) => (repeat % 3 === 0 ? 5_000 : 20_000)),
      planOf({ repeats: 20, budget }),
    )
    expect(orderOf(run)).toBe('off on on off')
    expect(run.outcome?.sentence).toContain('The budget of 60 s is used up')
  })

  it('ends when the interval is narrow enough, after at least the minimum number of runs', async () => {
    const long = { widthPercent: 5, seconds: 600 }
    const run = await perform(
      slowly((repeat) => 10_000 + (repeat % 2)),
      planOf({ repeats: 8, budget: long }),
    )
    expect(run.repeats).toHaveLength(16)
    expect(run.outcome?.sentence).toContain('0.0 % after 160 s')
  })

  it('is refused if not even one block fits', async () => {
    const tight = { ...budget, seconds: 23 }
    const run = await perform(openRig(), planOf({ seconds: 4, warmups: 1, budget: tight }))
    expect(run).toMatchObject({ state: 'failed', problem: { code: 'bad_request' }, repeats: [] })
    expect(run.problem?.message).toContain('takes 24 s, and the budget is 23 s')
  })

  it('is refused with the sequential order', async () => {
    const run = await perform(openRig(), planOf({ order: 'sequential', budget }))
    expect(run).toMatchObject({ state: 'failed', problem: { code: 'bad_request' }, repeats: [] })
  })
})

describe('the most runs of an experiment', () => {
  const budget = { widthPercent: 1, seconds: 7_200 }
  const longest = planOf({ warmups: 5, budget })

  it('end one whose budget allows more, so that its recording can be imported', () => {
    const rounds = mostRepeats(longest)
    expect(runsOf({ ...longest, design: { ...longest.design, repeats: rounds } })).toBeLessThanOrEqual(MOST_RUNS)
    const spent = { seconds: 10, width: 3 }
    expect(whyStopped(longest, budget, { ...spent, rounds: rounds - BLOCK_ROUNDS })).toBeNull()
    expect(whyStopped(longest, budget, { ...spent, rounds: rounds - BLOCK_ROUNDS + 1 })).toBe(
      'An experiment has at most 10,000 runs; the interval is 3.0 % wide.',
    )
  })
})
