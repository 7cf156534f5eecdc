/** A chart, its room, and how its words fit into that room. Pure. */
import { across, dot, LINE, rect, text, type Mark } from './marks.ts'
import type { Paint } from './palette.ts'

export interface Chart {
  readonly title: string
  /** For people who can't see it. */
  readonly description: string
  /** In pixels; at least the frame's width. */
  readonly width: number
  readonly height: number
  readonly marks: readonly Mark[]
}

/** The room for a chart: each is laid out for the width that it gets, and its text keeps its size. */
export interface Frame {
  /** In pixels, as are all sizes. */
  readonly width: number
  /** The height to fill; null for the height that the chart needs. */
  readonly height: number | null
  /** The size of its text. */
  readonly text: number
  /** Whether rows are flat, because many charts share one slide. */
  readonly dense: boolean
}

/** In reports and files. */
export const paper: Frame = { width: 760, height: null, text: 15, dense: false }

/** Widths in font sizes, estimated for Inter: a chart can't measure its text, because nothing draws it yet. */
const widths = { wide: 0.66, usual: 0.57, narrow: 0.3 }

/** In pixels. */
export function textWidth(words: string, size: number): number {
  const wide = words.match(/[A-Z0-9%+=×▲▼mw]/g)?.length ?? 0
  const narrow = words.match(/[ ,.:;'()|ijl]/g)?.length ?? 0
  return (wide * widths.wide + narrow * widths.narrow + (words.length - wide - narrow) * widths.usual) * size
}

/** A text in lines of at most so many pixels; a longer word has a line of its own. */
export function linesOf(words: string, width: number, size: number): string[] {
  const lines: string[] = []
  for (const word of words.split(' ')) {
    const last = lines.at(-1)
    if (last === undefined || textWidth(`${last} ${word}`, size) > width) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}

/** Marks below each other, and how high they are together. */
export interface Block {
  readonly marks: readonly Mark[]
  readonly height: number
}

export const nothing: Block = { marks: [], height: 0 }

/** A muted note over the whole width, in as many lines as it needs. */
export function note(words: string, top: number, { width, text: size }: Frame): Block {
  const lines = linesOf(words, width, size)
  return {
    marks: [text(0, top + size, lines, { fill: 'muted', fontSize: size })],
    height: lines.length * size * LINE,
  }
}

/** Names with a sign of their own before each, in rows. */
export function keyRows(
  entries: readonly {
    readonly name: string
    readonly width?: number
    readonly sign: (x: number, middle: number) => readonly Mark[]
  }[],
  top: number,
  { width, text: size }: Frame,
): Block {
  const high = size * 1.7
  let [x, row] = [0, 0]
  const marks = entries.flatMap(({ name, sign, width: signWidth = size }) => {
    const wide = signWidth + 8 + textWidth(name, size)
    if (x > 0 && x + wide > width) [x, row] = [0, row + 1]
    const middle = top + row * high + high / 2
    const drawn = [...sign(x, middle), text(x + signWidth + 8, middle + size * 0.35, name, { fontSize: size })]
    x += wide + 20
    return drawn
  })
  return { marks, height: entries.length === 0 ? 0 : (row + 1) * high }
}

/** The names of arms beside their colours. */
export function armKey(
  arms: readonly { readonly name: string; readonly paint: Paint }[],
  top: number,
  frame: Frame,
): Block {
  const side = frame.text * 0.85
  return keyRows(
    arms.map(({ name, paint }) => ({
      name,
      width: side,
      sign: (x, middle) => [rect(x, middle - side / 2, side, side, { fill: paint, rx: 3 })],
    })),
    top,
    frame,
  )
}

/**
 * The labels below an axis. A label that would touch the one before it goes to a second line, or is left out where
 * that has no room either.
 *
 * @param of in order, with the middle of each
 */
export function labelsBelow(
  of: readonly { readonly x: number; readonly words: string }[],
  top: number,
  { width, text: size }: Frame,
): Block {
  const ends = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
  const marks = of.flatMap(({ x, words }) => {
    const half = textWidth(words, size) / 2
    // Inside of the chart, and so away from the middle at its ends.
    const at = Math.max(half, Math.min(width - half, x))
    const lineNumber = ends.findIndex((end) => at - half > end + size * 0.5)
    if (lineNumber === -1) return []
    ends[lineNumber] = at + half
    return [
      text(at, top + size * (1 + lineNumber * LINE), words, { fill: 'muted', fontSize: size, textAnchor: 'middle' }),
    ]
  })
  const lines = ends.filter((end) => end > 0).length
  return { marks, height: lines * size * LINE }
}

/** The ticks of an axis on the left, each with a line across the plot. */
export function leftAxis(
  ticks: readonly { readonly y: number; readonly words: string; readonly strong?: boolean }[],
  [left, right]: readonly [number, number],
  size: number,
): Mark[] {
  return ticks.flatMap(({ y, words, strong = false }) => [
    across(left, right, y, strong ? 'muted' : 'line'),
    text(left - size * 0.5, y + size * 0.35, words, { fill: 'muted', fontSize: size, textAnchor: 'end' }),
  ])
}

/** Strokes and dots, in font sizes: they grow with the text, for the back row. */
export const STROKE = 0.16
export const RADIUS = 0.33

/** A single value: in its arm's hue, with an edge that keeps it apart from others. */
export function valueDot(x: number, y: number, radius: number, fill: Paint): Mark {
  return dot(x, y, radius, { fill, stroke: 'surface', strokeWidth: 1.5 })
}
