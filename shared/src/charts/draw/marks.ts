/**
 * The marks that a chart is made of, in its own pixels. `svg.ts` writes them as text for reports and files, and
 * `web/src/charts/chart-view.tsx` renders them on the page.
 */
import type { Paint } from './palette.ts'

/** A mark that a person can choose, at its place in a grid. */
export interface Choice {
  readonly id: string
  readonly row: number
  readonly column: number
}

export interface Mark {
  readonly tag: 'rect' | 'circle' | 'polyline' | 'text' | 'tspan' | 'g' | 'svg'
  /** SVG attributes, spelled as React spells them. */
  readonly attributes: Readonly<Record<string, string | number>>
  readonly fill?: Paint
  readonly stroke?: Paint
  readonly text?: string
  /** Shown where the pointer rests. */
  readonly hint?: string
  readonly choice?: Choice
  readonly marks?: readonly Mark[]
}

interface Look {
  readonly fill?: Paint
  readonly stroke?: Paint
  readonly strokeWidth?: number
  readonly strokeDasharray?: string
  readonly fillOpacity?: number
}

/** Rounds to a tenth of a pixel, which is fine enough. */
function tenth(value: number): number {
  return Math.round(value * 10) / 10
}

function made(tag: Mark['tag'], place: Readonly<Record<string, string | number>>, look: Look = {}): Mark {
  const { fill, stroke, strokeWidth, ...others } = look
  const attributes: Record<string, string | number> = {}
  for (const [name, value] of Object.entries(place)) attributes[name] = typeof value === 'number' ? tenth(value) : value
  return {
    tag,
    attributes: { ...attributes, ...(strokeWidth === undefined ? {} : { strokeWidth: tenth(strokeWidth) }), ...others },
    ...(fill === undefined ? {} : { fill }),
    ...(stroke === undefined ? {} : { stroke }),
  }
}

export function rect(x: number, y: number, width: number, height: number, look: Look & { rx?: number }): Mark {
  return made('rect', { x, y, width: Math.max(0, width), height: Math.max(0, height) }, look)
}

export function dot(cx: number, cy: number, r: number, look: Look): Mark {
  return made('circle', { cx, cy, r }, look)
}

/** A line through points. */
export function line(points: readonly (readonly [number, number])[], stroke: Paint, look: Look = {}): Mark {
  const through = points.map(([x, y]) => `${tenth(x)},${tenth(y)}`).join(' ')
  return made('polyline', { points: through }, { fill: 'none', stroke, ...look })
}

export function across(from: number, to: number, y: number, stroke: Paint, look: Look = {}): Mark {
  return line(
    [
      [from, y],
      [to, y],
    ],
    stroke,
    look,
  )
}

export function upright(x: number, from: number, to: number, stroke: Paint, look: Look = {}): Mark {
  return line(
    [
      [x, from],
      [x, to],
    ],
    stroke,
    look,
  )
}

interface TextLook {
  readonly fill?: Paint
  readonly fontSize?: number
  readonly fontWeight?: number
  readonly textAnchor?: 'middle' | 'end'
}

/** Text at a point; `y` is the baseline of its first line. */
export function text(x: number, y: number, words: string | readonly string[], look: TextLook = {}): Mark {
  const { fill, fontSize = 15, ...others } = look
  const whole = made('text', { x, y, fontSize, ...others }, fill === undefined ? {} : { fill })
  if (typeof words === 'string') return { ...whole, text: words }
  const [only = ''] = words
  if (words.length < 2) return { ...whole, text: only }
  // The space keeps the words of two lines apart where they are read or copied.
  const marks = words.map((one, index) => ({
    ...made('tspan', { x, y: y + index * fontSize * LINE }),
    text: index < words.length - 1 ? `${one} ` : one,
  }))
  return { ...whole, marks }
}

/** The height of a line, in font sizes. */
export const LINE = 1.3

/** Marks that belong together, with their meaning in words. */
export function group(marks: readonly Mark[], hint: string, choice?: Choice): Mark {
  return {
    tag: 'g',
    attributes: {},
    marks,
    ...(hint === '' ? {} : { hint }),
    ...(choice === undefined ? {} : { choice }),
  }
}

/** Marks at another place. */
export function moved(x: number, y: number, marks: readonly Mark[]): Mark {
  return { tag: 'g', attributes: { transform: `translate(${tenth(x)} ${tenth(y)})` }, marks }
}

/** Marks at another place, of which only the part within a box is shown. */
export function clipped(x: number, y: number, width: number, height: number, marks: readonly Mark[]): Mark {
  return { ...made('svg', { x, y, width, height }), marks }
}

/** The bracket of an interval, upright or across: a line with an end at both sides. */
export function bracket(from: readonly [number, number], to: readonly [number, number]): Mark[] {
  const look = { strokeWidth: 2 }
  const ends = [from, to].map(([x, y]) =>
    from[0] === to[0] ? across(x - 5, x + 5, y, 'ink', look) : upright(x, y - 5, y + 5, 'ink', look),
  )
  return [line([from, to], 'ink', look), ...ends]
}
