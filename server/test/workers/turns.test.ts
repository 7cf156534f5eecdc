import { expect, it, onTestFinished } from 'vitest'
import { letOthers } from '../../src/workers/turns.ts'
import { countTurns } from '../support/turns.ts'

it('lets one of those that wait go on in each turn, in their order', async () => {
  const turns = countTurns()
  onTestFinished(() => turns.stop())
  const seen: { readonly who: number; readonly turn: number }[] = []
  async function work(who: number): Promise<void> {
    for (let part = 0; part < 3; part += 1) {
      await letOthers()
      seen.push({ who, turn: turns.count() })
    }
  }
  await Promise.all([work(0), work(1), work(2)])
  expect(seen.map(({ who }) => who)).toEqual([0, 1, 2, 0, 1, 2, 0, 1, 2])
  expect(new Set(seen.map(({ turn }) => turn)).size).toBe(9)
})
