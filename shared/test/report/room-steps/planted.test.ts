/** The model finds a planted hard step in every simulated room, and none where none is hard. */
import { describe, expect, it } from 'vitest'
import { actingSteps, labFigures } from '../../../src/report/room/steps/figures.ts'
import { lab } from './lab.ts'
import { learnersOf, moment, usual, type Difficulty } from './room.ts'

const SEEDS = Array.from({ length: 200 }, (_, seed) => seed + 1)
const steps = actingSteps(lab)

function standing(seed: number, hard: Readonly<Record<string, Difficulty>> = {}, people = 30): string[] {
  const figures = labFigures(lab, learnersOf(seed, steps, hard, { people }), moment)
  return figures.steps.flatMap(({ stepId, standsOut }) => (standsOut.length > 0 ? [stepId] : []))
}

describe('a planted hard step among 30 simulated learners', () => {
  it.each<[string, Difficulty]>([
    ['takes 3 times the human time', { ...usual, time: 3 }],
    ['fails in 7 of 10 runs', { ...usual, fails: 0.7 }],
    ['takes 2.5 times the time, and one in three leaves', { ...usual, time: 2.5, leaves: 0.33 }],
    ['is passed by nobody', { ...usual, fails: 1 }],
  ])('is found in every room, at any step but the first, when it %s', (_, difficulty) => {
    const missed = SEEDS.filter((seed) => {
      const { stepId } = steps[1 + (seed % (steps.length - 1))] ?? { stepId: '' }
      return !standing(seed, { [stepId]: difficulty }).includes(stepId)
    })
    expect(missed).toEqual([])
  })

  it('is found in every room at the first step, too, once others follow', () => {
    const missed = SEEDS.filter((seed) => !standing(seed, { 'step-1': { ...usual, time: 3 } }).includes('step-1'))
    expect(missed).toEqual([])
  })
})

describe('a room without a hard step', () => {
  it.each([30, 12, 5])('of %i has none that stands out, in at least 95 of 100 rooms', (people) => {
    const wrong = SEEDS.filter((seed) => standing(seed, {}, people).length > 0)
    expect(wrong.length).toBeLessThanOrEqual(SEEDS.length * 0.05)
  })
})
