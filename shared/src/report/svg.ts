/** Drawings as text: SVG elements, every word escaped. */
import type { Palette } from './palette.ts'

// What no XML document may hold, in whatever way it is written.
const FORBIDDEN = /(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** For text and quoted attributes of HTML and of XML alike. */
export function escapeMarkup(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(FORBIDDEN, '\ufffd')
    .replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign)
}

type Attributes = Readonly<Record<string, string | number>>

/** A tenth of a pixel is finer than anything seen. */
function written(value: string | number): string {
  return typeof value === 'number' ? String(Math.round(value * 10) / 10) : escapeMarkup(value)
}

/** An element; its children are markup already. */
export function tag(name: string, attributes: Attributes, ...children: readonly string[]): string {
  const told = Object.entries(attributes).map(([key, value]) => ` ${key}="${written(value)}"`)
  const inner = children.join('')
  return inner === '' ? `<${name}${told.join('')}/>` : `<${name}${told.join('')}>${inner}</${name}>`
}

/** Text at a point; `y` is its baseline. */
export function label(x: number, y: number, text: string, attributes: Attributes = {}): string {
  return tag('text', { x, y, ...attributes }, escapeMarkup(text))
}

/** Shown by browsers when the pointer rests on an element, and read by screen readers. */
export function hint(text: string): string {
  return tag('title', {}, escapeMarkup(text))
}

export interface Drawing {
  readonly title: string
  /** What it shows, in words, for those who do not see it. */
  readonly description: string
  readonly width: number
  readonly height: number
}

/** A drawing that stands by itself, as wide as there is room. */
export function drawing({ title, description, width, height }: Drawing, palette: Palette, body: string): string {
  return tag(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${width} ${height}`,
      role: 'img',
      'aria-label': title,
      'font-family': palette.font,
      'font-size': 15,
      fill: palette.ink,
    },
    hint(title),
    tag('desc', {}, escapeMarkup(description)),
    body,
  )
}

/** A position on a straight scale. */
export function scale(from: number, to: number, start: number, end: number): (value: number) => number {
  const span = to - from === 0 ? 1 : to - from
  return (value) => start + ((value - from) / span) * (end - start)
}
