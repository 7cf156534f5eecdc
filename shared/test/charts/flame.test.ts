/** The difference of two profiles as a flame graph. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { paper, type Chart } from '../../src/charts/draw/chart.ts'
import { inlineSvg } from '../../src/charts/draw/svg.ts'
import { contextAt, flameChart } from '../../src/charts/flame-chart.ts'
import { compareContexts, type Pair } from '../../src/profile/difference.ts'
import { ROOT, type Context, type Side } from '../../src/profile/profile.ts'

type Tree = readonly [name: string, own: number, children?: readonly Tree[]]

function contextOf([name, instructions, children = []]: Tree): Context<Side> {
  const inside = children.map(contextOf)
  const sum = inside.reduce((all, { whole }) => all + whole.instructions, instructions)
  const side = (value: number): Side => ({ instructions: value, calls: 1 })
  return { function: name, own: side(instructions), whole: side(sum), children: inside }
}

const compared = (before: Tree, after: Tree): Context<Pair> => compareContexts(contextOf(before), contextOf(after))

function drawn(root: Context<Pair>, found = ''): Chart {
  return flameChart(
    { root, id: '0', title: 'Why', quantity: 'instructions', noise: 0, isFound: (name) => name === found },
    paper,
  )
}

interface Shown {
  readonly id: string
  readonly row: number
  readonly x: number
  readonly width: number
  readonly fill: string | undefined
  readonly opacity: number
  readonly stroke: string | undefined
  readonly words: string | undefined
}

function framesOf({ marks }: Chart): Shown[] {
  return marks.flatMap(({ choice, hint, marks: [box] = [] }) =>
    choice === undefined || box === undefined
      ? []
      : {
          id: choice.id,
          row: choice.row,
          x: Number(box.attributes['x']),
          width: Number(box.attributes['width']),
          fill: box.fill,
          opacity: Number(box.attributes['fillOpacity']),
          stroke: box.stroke,
          words: hint,
        },
  )
}

const before: Tree = [
  ROOT,
  0,
  [
    [
      'recv',
      100,
      [
        ['ack', 300],
        ['tiny', 0.1],
      ],
    ],
    ['send', 600],
  ],
]
const after: Tree = [
  ROOT,
  0,
  [
    ['recv', 100, [['ack', 0]]],
    ['send', 700],
  ],
]

describe('a flame graph', () => {
  const frames = framesOf(drawn(compared(before, after)))
  const by = (id: string): Shown | undefined => frames.find((one) => one.id === id)

  it('has a row for each level, and no context narrower than a pixel', () => {
    expect(frames.map(({ id, row }) => [id, row])).toEqual([
      ['0', 0],
      ['0.0', 1],
      ['0.0.0', 2],
      ['0.1', 1],
    ])
    expect(drawn(compared(before, after)).height).toBeLessThan(drawn(compared([ROOT, 0, [before]], after)).height)
  })

  it('gives a context the width of the arm that has more of it', () => {
    const unit = (by('0')?.width ?? 0) / (100 + 300 + 0.1 + 700)
    expect(by('0.0.0')?.width).toBeCloseTo(300 * unit, 0)
    expect(by('0.1')?.width).toBeCloseTo(700 * unit, 0)
    expect(by('0')?.width).toBe(paper.width)
  })

  it('is blue for fewer instructions and red for more, the stronger the larger the difference', () => {
    expect(by('0.0.0')?.fill).toBe('on')
    expect(by('0.1')?.fill).toBe('bad')
    expect(by('0.0.0')?.opacity).toBeGreaterThan(by('0.1')?.opacity ?? 1)
    const same = framesOf(drawn(compared(before, before)))
    expect(new Set(same.map(({ fill }) => fill))).toEqual(new Set(['line']))
  })

  it('says each context in words, and marks the functions that are searched for', () => {
    expect(by('0.0.0')?.words).toBe('ack: 300 → 0 instructions (−300), 1.0 → 1.0 calls')
    const found = framesOf(drawn(compared(before, after), 'send')).filter(({ stroke }) => stroke === 'ink')
    expect(found.map(({ id }) => id)).toEqual(['0.1'])
  })

  it('begins at any context', () => {
    const root = compared(before, after)
    const inner = contextAt(root, '0.0')
    expect(inner?.function).toBe('recv')
    expect(contextAt(root, '0.7.1')).toBeNull()
    if (inner === null) return
    const zoomed = framesOf(
      flameChart(
        { root: inner, id: '0.0', title: 'Why', quantity: 'instructions', noise: 0, isFound: () => false },
        paper,
      ),
    )
    expect(zoomed[0]).toMatchObject({ id: '0.0', row: 0, width: paper.width })
    expect(zoomed.map(({ id }) => id)).toContain('0.0.0')
  })

  it('is text in a report, with every name escaped', () => {
    expect(inlineSvg(drawn(compared([ROOT, 0, [['<script>', 5]]], [ROOT, 0, []])))).not.toContain('<script>')
  })

  it('holds no context outside of its caller, whatever the profiles', () => {
    const named = fc.constantFrom('a', 'b', 'c')
    const own = fc.integer({ min: -5, max: 1000 })
    const { tree } = fc.letrec<{ tree: Tree }>((tie) => {
      const inside = fc.uniqueArray(tie('tree'), { maxLength: 3, selector: ([name]) => name })
      return { tree: fc.oneof({ maxDepth: 5 }, fc.tuple(named, own), fc.tuple(named, own, inside)) }
    })
    fc.assert(
      fc.property(tree, tree, (one, other) => {
        const shown = framesOf(drawn(compared([ROOT, 0, [one]], [ROOT, 0, [other]])))
        const places = new Map(shown.map((frame) => [frame.id, frame]))
        for (const { id, x, width } of shown) {
          const caller = places.get(id.slice(0, id.lastIndexOf('.')))
          if (caller === undefined) continue
          expect(x).toBeGreaterThanOrEqual(caller.x - 0.2)
          expect(x + width).toBeLessThanOrEqual(caller.x + caller.width + 0.3)
        }
      }),
    )
  })
})
