import { describe, expect, it } from 'vitest'
import { faults, runFigures } from '../src/faults/faults.ts'
import type { Figure } from '../src/faults/figure.ts'
import { readOptions, repeatCommand } from '../src/faults/options.ts'

const options = { names: [], without: [], short: true, seed: 7 }
const row = { what: 'w', bound: 'b', how: 'h', holds: true }
const draws = (name: string): Figure => ({
  name,
  run: async ({ random, seed }) => ({ ...row, measured: `${seed} ${random()}` }),
})

describe('the arguments', () => {
  it('have a seed, so that two runs can be compared', () => {
    expect(readOptions([]).seed).toBe(readOptions([]).seed)
    const read = readOptions(['--short', 'a', '--seed', '7', 'b', '--without', 'c'])
    expect(read).toEqual({ names: ['a', 'b'], without: ['c'], short: true, seed: 7 })
  })

  it('are refused when they mean nothing', async () => {
    for (const wrong of [['--seed', 'x'], ['--long'], ['no-such-figure']]) expect(await faults(wrong)).toBe(2)
  })

  it('are printed so that one figure can be run again', () => {
    expect(repeatCommand('a', options)).toBe('npm run bench -- faults a --short --seed 7')
  })
})

describe('the figures', () => {
  it('draw the same numbers alone as among others', async () => {
    const [, second] = await runFigures([draws('one'), draws('two')], options)
    const [alone] = await runFigures([draws('two')], options)
    expect(second).toEqual(alone)
    expect(alone?.how).toContain('npm run bench -- faults two --short --seed 7')
  })

  it('do not hold when they end with an error', async () => {
    const broken: Figure = { name: 'broken', run: () => Promise.reject(new Error('the server is gone')) }
    const [first, second] = await runFigures([broken, draws('other')], options)
    expect(first).toMatchObject({ measured: 'the server is gone', holds: false })
    expect(second?.holds).toBe(true)
  })

  it('run beside one that takes long', async () => {
    const other = Promise.withResolvers<void>()
    const long: Figure = {
      name: 'long',
      beside: true,
      run: async () => {
        await other.promise
        return { ...row, measured: 'after the other' }
      },
    }
    const short: Figure = {
      name: 'short',
      run: async () => {
        other.resolve()
        return { ...row, measured: 'meanwhile' }
      },
    }
    const rows = await runFigures([long, short], options)
    expect(rows.map(({ measured }) => measured)).toEqual(['after the other', 'meanwhile'])
  })
})
