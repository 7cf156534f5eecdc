/** Arms below each other: the median as a bar, every run as a dot, the interval of the difference as a bracket. */
import { i18n } from '../base/language.ts'
import type { Comparison } from '../compare/comparison.ts'
import { verdictName, verdictSign } from '../compare/words.ts'
import { formatMetric, formatNamed } from '../features/metrics.ts'
import { maxOf } from '../measure/extremes.ts'
import { formatChange } from '../base/units.ts'
import { barsEnd, comparedPanels, type Bar, type BarGroup, type SideHues } from './bars.ts'
import { linesOf, RADIUS, textWidth, valueDot, type Block, type Chart, type Frame } from './draw/chart.ts'
import { bracket, group, LINE, rect, text, upright, type Mark } from './draw/marks.ts'

/** From this width on, in font sizes, names and values stand beside the bars. */
const WIDE = 38

function inWords(metric: string, { label, value, changePercent, verdict }: Bar): string {
  if (value === null) return i18n.t('{label}: not measured yet', { label })
  const against = changePercent === null ? '' : `, ${formatChange(changePercent)}`
  return `${label}: ${formatMetric(metric, value)}${against}${verdict === null ? '' : `, ${verdictName[verdict]}`}`
}

function changeOf({ changePercent, verdict }: Bar): string {
  if (changePercent === null) return ''
  return `${verdict === null ? '' : `${verdictSign[verdict]} `}${formatChange(changePercent)}`
}

interface Place {
  readonly size: number
  readonly top: number
  readonly high: number
  readonly from: number
  readonly x: (value: number) => number
}

/** The bar itself, with its dots and its interval. */
function barMarks({ metric }: BarGroup, bar: Bar, { top, high, from, x, size }: Place): Mark[] {
  const { hue, value, values, interval } = bar
  if (value === null) return []
  const end = x(value)
  const radius = Math.min(size * RADIUS, high / 6)
  const marks = [
    rect(from, top, end - from, high, { fill: hue, fillOpacity: 0.28 }),
    upright(end, top, top + high, hue, { strokeWidth: 3 }),
    ...values.map((one) => group([valueDot(x(one), top + high * 0.34, radius, hue)], formatMetric(metric, one))),
    ...(interval === null ? [] : bracket([x(interval.low), top + high * 0.76], [x(interval.high), top + high * 0.76])),
  ]
  return [group(marks, inWords(metric, bar))]
}

/** The height of a row, of its bar, and of the text above the bar where names are not beside it. */
function rowsOf(bars: number, lines: number, heads: number, { height, dense, text: size }: Frame) {
  const above = lines === 0 ? 0 : size * (0.2 + lines * LINE)
  const usual = dense ? size * 1.6 : size * 2.4
  const gap = size * 0.6
  const free = height === null ? usual : (height - heads) / Math.max(1, bars) - above - gap
  const high = height === null ? usual : Math.max(size * 1.6, Math.min(size * 6, free))
  return { above, high, row: above + high + gap }
}

function groupMarks(of: BarGroup, top: number, heads: number, bars: number, frame: Frame): Block {
  const { width, text: size } = frame
  const wide = width >= WIDE * size
  const figures = of.bars.map((bar) => ({
    figure: bar.value === null ? '–' : formatNamed(of.metric, bar.value),
    change: changeOf(bar),
  }))
  const longest = (words: readonly string[]): number =>
    maxOf(
      words.map((one) => textWidth(one, size)),
      0,
    )
  const changes = longest(figures.map(({ change }) => change))
  const right = longest(figures.map(({ figure }) => figure)) * 1.06 + (changes > 0 ? changes + size : 0)
  const labels = longest(of.bars.map(({ label }) => label))
  const left = Math.min(size * 15, labels + size)
  const [from, to] = wide ? [left, width - right - size] : [0, width - 6]
  const end = barsEnd([of]) || 1
  const x = (value: number): number => from + (value / end) * (to - from)
  const heading = of.heading === '' ? [] : linesOf(of.heading, width, size)
  const head = heading.length * size * LINE + (heading.length === 0 ? 0 : size * 0.5)
  const named = of.bars.map(({ label }) => linesOf(label, wide ? left - size * 0.8 : width, size))
  const most = maxOf(named.map((lines) => lines.length))
  // Above the bar, the figures stand beside the name, or below it where that is too long.
  const beside = labels + right + size <= width
  const { above, high, row } = rowsOf(bars, wide ? 0 : most + (beside ? 0 : 1), heads, frame)
  const marks = of.bars.flatMap((bar, index) => {
    const at = top + head + index * row
    const names = named[index] ?? []
    const { figure = '', change = '' } = figures[index] ?? {}
    const centre = at + high / 2 + size * 0.35
    const first = wide ? centre - ((names.length - 1) / 2) * size * LINE : at + size
    const middle = wide ? centre : at + size + (beside ? 0 : most * size * LINE)
    return [
      text(0, first, names, { fontSize: size, fontWeight: 500 }),
      ...barMarks(of, bar, { top: at + above, high, from, x, size }),
      text(width - (changes > 0 ? changes + size : 0), middle, figure, {
        fontSize: size,
        fontWeight: 600,
        textAnchor: 'end',
      }),
      ...(change === '' ? [] : [text(width, middle, change, { fontSize: size, fill: 'muted', textAnchor: 'end' })]),
    ]
  })
  return {
    marks: [
      ...(heading.length === 0 ? [] : [text(0, top + size, heading, { fontSize: size, fontWeight: 600 })]),
      ...marks,
    ],
    height: head + of.bars.length * row,
  }
}

/** Each group on its own axis from zero: bars of one length mean the same value only within a group. */
export function barsChart(groups: readonly BarGroup[], title: string, frame: Frame): Chart {
  const gap = groups.some(({ heading }) => heading !== '') ? frame.text : 0
  const heads = groups.length * (gap + (gap > 0 ? frame.text * (LINE + 0.5) : 0))
  const bars = groups.reduce((sum, one) => sum + one.bars.length, 0)
  let top = 0
  const marks = groups.flatMap((one) => {
    const block = groupMarks(one, top, heads, bars, frame)
    top += block.height + gap
    return block.marks
  })
  const named = groups.map(({ heading, metric, bars: own }) => {
    const words = own.map((bar) => inWords(metric, bar)).join('; ')
    return heading === '' ? `${words}.` : `${heading}: ${words}.`
  })
  return { title, description: named.join(' '), width: frame.width, height: Math.max(1, top - gap), marks }
}

/** Before and after: the metrics of the page's own bars. */
export function comparisonChart(comparison: Comparison, title: string, frame: Frame, hues?: SideHues): Chart {
  return barsChart(
    comparedPanels(comparison, hues).flatMap(({ groups }) => groups),
    title,
    frame,
  )
}
