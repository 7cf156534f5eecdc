/** Drawings as text: SVG elements, every word escaped. */
import type { Palette } from './palette.ts'

// Characters that XML documents must not contain, even escaped.
const FORBIDDEN = /(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** For text and quoted attributes of HTML and XML. */
export function escapeMarkup(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(FORBIDDEN, '\ufffd')
    .replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign)
}

type Attributes = Readonly<Record<string, string | number>>

/** Rounds to a tenth of a pixel, which is fine enough. */
function written(value: string | number): string {
  return typeof value === 'number' ? String(Math.round(value * 10) / 10) : escapeMarkup(value)
}

/** An element with children that are already markup. */
export function tag(name: string, attributes: Attributes, ...children: readonly string[]): string {
  const attributeList = Object.entries(attributes).map(([key, value]) => ` ${key}="${written(value)}"`)
  const inner = children.join('')
  return inner === '' ? `<${name}${attributeList.join('')}/>` : `<${name}${attributeList.join('')}>${inner}</${name}>`
}

/** Text at a point; `y` is its baseline. */
export function label(x: number, y: number, text: string, attributes: Attributes = {}): string {
  return tag('text', { x, y, ...attributes }, escapeMarkup(text))
}

/** A text in lines of at most so many characters; a longer word has a line of its own. */
export function linesOf(text: string, most: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last === undefined || `${last} ${word}`.length > most) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}

/** A tooltip, which screen readers read, too. */
export function hint(text: string): string {
  return tag('title', {}, escapeMarkup(text))
}

export interface Drawing {
  readonly title: string
  /** A description for people who can't see it. */
  readonly description: string
  readonly width: number
  readonly height: number
  /** The content, without the `svg` element. */
  readonly body: string
}

function root(palette: Palette, { title, description }: Drawing, size: Attributes, inner: string): string {
  return tag(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      ...size,
      role: 'img',
      'aria-label': title,
      'font-family': palette.font,
      'font-size': 15,
      fill: palette.ink,
    },
    hint(title),
    tag('desc', {}, escapeMarkup(description)),
    inner,
  )
}

/** For use in a document: as wide as its container. */
export function inlineSvg(of: Drawing, palette: Palette): string {
  return root(palette, of, { viewBox: `0 0 ${of.width} ${of.height}` }, of.body)
}

const MARGIN = 32
const HEAD = 52
const FOOT = 34

/**
 * A separate file: on white, with its title above and its source below.
 *
 * @param style CSS for the whole drawing: its fonts
 */
export function standaloneSvg(of: Drawing, palette: Palette, source: string, style = ''): string {
  const [width, height] = [of.width + 2 * MARGIN, of.height + HEAD + FOOT + 2 * MARGIN]
  const inner = [
    style === '' ? '' : tag('style', {}, escapeMarkup(style)),
    tag('rect', { width, height, fill: palette.surface }),
    label(MARGIN, MARGIN + 20, of.title, { 'font-size': 21, 'font-weight': 650 }),
    tag('g', { transform: `translate(${MARGIN} ${MARGIN + HEAD})` }, of.body),
    label(MARGIN, height - MARGIN + 4, source, { 'font-size': 13, fill: palette.muted }),
  ].join('')
  return root(palette, of, { width, height, viewBox: `0 0 ${width} ${height}` }, inner)
}

/** A linear scale. */
export function scale(from: number, to: number, start: number, end: number): (value: number) => number {
  const span = to - from === 0 ? 1 : to - from
  return (value) => start + ((value - from) / span) * (end - start)
}
