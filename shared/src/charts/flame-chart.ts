/** The difference of two profiles as a flame graph: a row for each level of calls, the callers above. */
import { i18n } from '../base/language.ts'
import { added, type Pair } from '../profile/difference.ts'
import { contextWords, formatAdded, functionName } from '../profile/words.ts'
import type { Context } from '../profile/profile.ts'
import { maxOf } from '../measure/extremes.ts'
import { keyRows, note, type Block, type Chart, type Frame } from './draw/chart.ts'
import { clipped, group, moved, rect, text, type Mark } from './draw/marks.ts'
import type { Paint } from './draw/palette.ts'

/** In pixels: narrower contexts are left out. */
const LEAST_WIDTH = 1.5
/** In pixels: narrower contexts have no edge, which would cover them. */
const LEAST_EDGED = 4
/** A smaller part of the largest difference has no colour. */
const LEAST_STRENGTH = 0.05
/** In font sizes: narrower contexts have no name. */
const LEAST_NAMED = 2.4
const ROW = 1.65

export interface Flame {
  /** The context in the first row. */
  readonly root: Context<Pair>
  /** The id of its mark; the children's are `ID.0`, `ID.1` and so on, by their places among its children. */
  readonly id: string
  readonly title: string
  /** The quantity of the contexts' values: `instructions`. */
  readonly quantity: string
  /** The difference that can be chance, in the unit of the values: smaller differences are faint. */
  readonly noise: number
  /** True for a function that the person searches for. */
  readonly isFound: (name: string) => boolean
}

/** A context with its width, in the unit of its values. */
interface Sized {
  readonly context: Context<Pair>
  readonly id: string
  readonly size: number
  readonly inside: readonly Sized[]
}

/** The context with this id; null if there is none. */
export function contextAt(root: Context<Pair>, id: string): Context<Pair> | null {
  const [, ...path] = id.split('.')
  let at: Context<Pair> | undefined = root
  for (const index of path) at = at?.children[Number(index)]
  return at ?? null
}

/** As wide as its functions, each as wide as in the arm that has more of it: the contexts of both arms have room. */
function sized(context: Context<Pair>, id: string): Sized {
  const inside = context.children.map((child, index) => sized(child, `${id}.${index}`))
  const { before, after } = context.own
  const own = Math.max(0, before.instructions, after.instructions)
  return { context, id, size: inside.reduce((sum, { size }) => sum + size, own), inside }
}

interface Placed {
  readonly of: Sized
  readonly x: number
  readonly row: number
}

function* placed(of: Sized, x: number, row: number, scale: number): Generator<Placed> {
  if (of.size * scale < LEAST_WIDTH) return
  yield { of, x, row }
  let at = x
  for (const child of of.inside) {
    yield* placed(child, at, row + 1, scale)
    at += child.size * scale
  }
}

/** Blue for less, red for more: the root of the part of the largest difference, because most parts are small. */
function look(difference: number, most: number): { readonly fill: Paint; readonly fillOpacity: number } {
  const strength = most === 0 ? 0 : Math.sqrt(Math.abs(difference) / most)
  if (strength < LEAST_STRENGTH) return { fill: 'line', fillOpacity: 0.6 }
  return { fill: difference < 0 ? 'on' : 'bad', fillOpacity: Math.round((0.08 + strength * 0.44) * 100) / 100 }
}

function colourKey(most: number, frame: Frame): Block {
  const side = frame.text * 0.85
  const entries = [
    [i18n.t('{count}: less', { count: formatAdded(-most) }), -most],
    [i18n.t('the same'), 0],
    [i18n.t('{count}: more', { count: formatAdded(most) }), most],
  ] as const
  const named = entries.map(([name, difference]) => ({
    name,
    width: side,
    sign: (x: number, middle: number) => [
      rect(x, middle - side / 2, side, side, { ...look(difference, most), stroke: 'line', rx: 3 }),
    ],
  }))
  return keyRows(named, 0, frame)
}

/**
 * Contexts of the largest differences are at the left. The choice of a mark is the id of its context, its row, and its
 * place in the row.
 */
export function flameChart({ root, id, title, quantity, noise, isFound }: Flame, frame: Frame): Chart {
  const { width, text: size } = frame
  const whole = sized(root, id)
  const frames = [...placed(whole, 0, 0, width / Math.max(1, whole.size))]
  const most = Math.max(noise, maxOf(frames.map(({ of }) => Math.abs(added(of.context.whole)))))
  const scale = width / Math.max(1, whole.size)
  const columns: number[] = []
  const high = size * ROW
  const drawn = frames.map(({ of, x, row }): Mark => {
    const column = columns[row] ?? 0
    columns[row] = column + 1
    const { function: name, whole: pair } = of.context
    const wide = of.size * scale
    const found = isFound(name)
    const edge = found
      ? ({ stroke: 'ink', strokeWidth: 2 } as const)
      : wide < LEAST_EDGED
        ? {}
        : ({ stroke: 'surface' } as const)
    const marks = [rect(x, row * high, wide, high, { ...look(added(pair), most), ...edge })]
    if (wide >= size * LEAST_NAMED) {
      const weight = found ? { fontWeight: 650 } : {}
      const label = text(size * 0.3, high * 0.68, functionName(name), { fontSize: size, ...weight })
      marks.push(clipped(x, row * high, wide - size * 0.3, high, [label]))
    }
    return group(marks, contextWords(of.context, quantity), { id: of.id, row, column })
  })
  const bottom = columns.length * high + size * 0.6
  const key = colourKey(most, frame)
  const words = note(
    i18n.t('The wider a context, the more {quantity} it takes, in its larger arm. The callers are above.', {
      quantity,
    }),
    0,
    frame,
  )
  return {
    title,
    description: root.children.map((child) => `${contextWords(child, quantity)}.`).join(' '),
    width,
    height: bottom + key.height + words.height,
    marks: [...drawn, moved(0, bottom, key.marks), moved(0, bottom + key.height, words.marks)],
  }
}
