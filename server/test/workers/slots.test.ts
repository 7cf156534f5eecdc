import { describe, expect, it } from 'vitest'
import { createSlots } from '../../src/workers/slots.ts'

describe('slots', () => {
  it('go to those who came first, one for each that is given back', async () => {
    const slots = createSlots(2)
    const taken: string[] = []
    const take = async (name: string): Promise<() => void> => {
      const giveBack = await slots.take()
      taken.push(name)
      return giveBack
    }
    const all = ['a', 'b', 'c', 'd'].map(take)
    const giveBack = await all[0]
    await all[1]
    expect(taken).toEqual(['a', 'b'])
    giveBack?.()
    giveBack?.()
    await all[2]
    expect(taken).toEqual(['a', 'b', 'c'])
    ;(await all[1])?.()
    await all[3]
    expect(taken).toEqual(['a', 'b', 'c', 'd'])
  })
})
