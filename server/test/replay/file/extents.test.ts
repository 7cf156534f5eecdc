/** Where values are: the same values as JSON.parse finds, and each byte read once. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isArrayAt,
  isObjectAt,
  itemsOf,
  lineAt,
  measureValue,
  membersOf,
  parseValue,
} from '../../../src/replay/file/extents.ts'

const json = fc.jsonValue({ maxDepth: 4 })
const layouts = fc.constantFrom(0, 1, '\t', '\r\n ')

/** The value, put together from where its parts are. */
function rebuilt(bytes: Uint8Array, start: number): unknown {
  if (isArrayAt(bytes, start)) return [...itemsOf(bytes, start)].map((item) => rebuilt(bytes, item.start))
  if (!isObjectAt(bytes, start)) return parseValue(bytes, measureValue(bytes, start))
  return Object.fromEntries([...membersOf(bytes, start)].map((member) => [member.key, rebuilt(bytes, member.start)]))
}

function containersIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((sum, one) => sum + containersIn(one), 1)
}

describe('extents', () => {
  it('find what JSON.parse finds', () => {
    fc.assert(
      fc.property(json, layouts, (value, layout) => {
        const text = JSON.stringify(value, null, layout)
        expect(rebuilt(Buffer.from(text), 0)).toEqual(JSON.parse(text))
      }),
    )
  })

  it('end where the value ends, and count what is in it', () => {
    fc.assert(
      fc.property(json, layouts, (value, layout) => {
        const text = JSON.stringify(value, null, layout)
        const { end, containers } = measureValue(Buffer.from(`${text} , [`), 0)
        expect(end).toBe(Buffer.byteLength(text))
        expect(containers).toBe(containersIn(value))
      }),
    )
  })

  it('mark the last item', () => {
    const items = [...itemsOf(Buffer.from('[1, [2], "]" ]'), 0)]
    expect(items.map(({ isLast }) => isLast)).toEqual([false, false, true])
    expect([...itemsOf(Buffer.from('[ ]'), 0)]).toEqual([])
    expect([...membersOf(Buffer.from('{ }'), 0)]).toEqual([])
  })

  it.each(['[1 2]', '[1,', '[,]', '[1,]', '[1}', '{"a" 1}', '{"a":}', '{a:1}', '{"a":1,}', '{"a":1]', '["a', '{"a\\'])(
    'refuse %s',
    (text) => {
      const bytes = Buffer.from(text)
      const read = (): unknown => {
        measureValue(bytes, 0)
        return rebuilt(bytes, 0)
      }
      expect(read).toThrow(SyntaxError)
    },
  )

  it('measure what is nested too deeply to be built', () => {
    const deep = 500_000
    const bytes = Buffer.from(`${'['.repeat(deep)}${']'.repeat(deep)}`)
    expect(measureValue(bytes, 0)).toMatchObject({ depth: deep, containers: deep, end: 2 * deep })
  })

  it('have lines', () => {
    const bytes = Buffer.from('a\nb\n\nc')
    expect([0, 1, 2, 3, 4, 5].map((at) => lineAt(bytes, at))).toEqual([1, 1, 2, 2, 3, 4])
  })
})
