import { describe, expect, it } from 'vitest'
import { createRegistry, derived } from '../../src/base/registry.ts'

describe('a registry', () => {
  it('has our parts first, and those that are registered in their order, until they are taken out', () => {
    const registry = createRegistry<string>(['ours'])
    const takeOut = registry.register('one')
    registry.register('two')
    expect(registry.all()).toEqual(['ours', 'one', 'two'])
    takeOut()
    expect(registry.all()).toEqual(['ours', 'two'])
  })

  it('keeps our parts, even if an equal one is taken out', () => {
    const registry = createRegistry<string>(['ours'])
    registry.register('ours')()
    expect(registry.all()).toEqual(['ours'])
  })
})

describe('a derived value', () => {
  it('is made when it is first asked for, and again after any registration', () => {
    const [one, two] = [createRegistry<number>([1]), createRegistry<number>([10])]
    let made = 0
    const sum = derived(() => {
      made += 1
      return [...one.all(), ...two.all()].reduce((all, part) => all + part, 0)
    })
    expect(made).toBe(0)
    expect([sum(), sum(), made]).toEqual([11, 11, 1])
    const takeOut = two.register(100)
    expect([sum(), sum(), made]).toEqual([111, 111, 2])
    takeOut()
    expect(sum()).toBe(11)
  })
})
