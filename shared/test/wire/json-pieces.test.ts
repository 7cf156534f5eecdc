import fc from 'fast-check'
import { expect, it } from 'vitest'
import { jsonPieces, PIECE } from '../../src/wire/json-pieces.ts'

it('writes what JSON.stringify writes', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 9 }), fc.constantFrom(0, 2), (value, indent) => {
      expect([...jsonPieces(value, indent)].join('')).toBe(JSON.stringify(value, null, indent))
    }),
  )
  const holes = { a: undefined, b: [undefined, 1], c: { d: undefined } }
  expect([...jsonPieces(holes, 2)].join('')).toBe(JSON.stringify(holes, null, 2))
})

it('splits lists wherever they are long', () => {
  const samples = Array.from({ length: 200_000 }, (_, at) => ({ at, values: { tps: at } }))
  const deep = { a: { b: { c: { d: { e: samples } } } } }
  const wide = { runs: [{ repeats: [{ samples }, { samples }] }] }
  for (const value of [samples, deep, wide]) {
    const pieces = [...jsonPieces(value)]
    expect(pieces.length).toBeGreaterThan(50)
    expect(pieces.every(({ length }) => length < 2 * PIECE)).toBe(true)
    expect(JSON.parse(pieces.join(''))).toEqual(value)
  }
})
