/** Charts as text: SVG elements, every word escaped. */
import type { Chart } from './chart.ts'
import { text, type Mark } from './marks.ts'
import { FONT, onPaper, themed, type Palette } from './palette.ts'

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
export function escapeMarkup(words: string): string {
  return words
    .toWellFormed()
    .replaceAll(FORBIDDEN, '\ufffd')
    .replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign)
}

/** An element with children that are already markup. */
function element(name: string, attributes: Readonly<Record<string, string | number>>, inner: string): string {
  const list = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeMarkup(String(value))}"`)
  return inner === '' ? `<${name}${list.join('')}/>` : `<${name}${list.join('')}>${inner}</${name}>`
}

/** `strokeWidth` -> `stroke-width`. */
function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

function written(
  { tag, attributes, fill, stroke, hint, text: words = '', marks = [] }: Mark,
  palette: Palette,
): string {
  const own = Object.entries(attributes).map(([name, value]) => [kebab(name), value] as const)
  const painted = {
    ...(fill === undefined ? {} : { fill: palette(fill) }),
    ...(stroke === undefined ? {} : { stroke: palette(stroke) }),
  }
  const title = hint === undefined ? '' : element('title', {}, escapeMarkup(hint))
  const inner = marks.map((one) => written(one, palette)).join('')
  return element(tag, { ...Object.fromEntries(own), ...painted }, title + escapeMarkup(words) + inner)
}

function root(
  { title, description }: Chart,
  palette: Palette,
  size: Readonly<Record<string, string | number>>,
  inner: string,
): string {
  const attributes = {
    xmlns: 'http://www.w3.org/2000/svg',
    ...size,
    role: 'img',
    'aria-label': title,
    'font-family': FONT,
    style: 'font-variant-numeric: tabular-nums',
    fill: palette('ink'),
  }
  const heads = element('title', {}, escapeMarkup(title)) + element('desc', {}, escapeMarkup(description))
  return element('svg', attributes, heads + inner)
}

/** For use in the HTML report: as wide as its container. */
export function inlineSvg(of: Chart): string {
  const inner = of.marks.map((one) => written(one, themed)).join('')
  return root(of, themed, { viewBox: `0 0 ${of.width} ${of.height}` }, inner)
}

const MARGIN = 32
const HEAD = 52
const FOOT = 34

/**
 * A separate file: on white, with its title above and its source below.
 *
 * @param style CSS for the whole drawing: its fonts
 */
export function standaloneSvg(of: Chart, source: string, style = ''): string {
  const [width, height] = [of.width + 2 * MARGIN, of.height + HEAD + FOOT + 2 * MARGIN]
  const inner = [
    style === '' ? '' : element('style', {}, escapeMarkup(style)),
    ...[
      { tag: 'rect', attributes: { width, height }, fill: 'surface' } as const,
      text(MARGIN, MARGIN + 20, of.title, { fontSize: 21, fontWeight: 650 }),
      { tag: 'g', attributes: { transform: `translate(${MARGIN} ${MARGIN + HEAD})` }, marks: of.marks } as const,
      text(MARGIN, height - MARGIN + 4, source, { fontSize: 13, fill: 'muted' }),
    ].map((one) => written(one, onPaper)),
  ].join('')
  return root(of, onPaper, { width, height, viewBox: `0 0 ${width} ${height}` }, inner)
}
