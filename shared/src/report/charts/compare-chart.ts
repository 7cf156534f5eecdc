/** Before and after: one bar per side, every run as a dot, the interval as a bracket. */
import { maxOf } from '../../measure/extremes.ts'
import type { ComparedRow, Comparison } from '../../compare/comparison.ts'
import { chartsOf, formatMetric, formatNamed, metricOf } from '../../features/metrics.ts'
import { formatChange } from '../../measure/units.ts'
import { armHue, type Hue } from './hues.ts'
import { hueFill, type Palette } from './palette.ts'
import { hint, label, linesOf, scale, tag, type Drawing } from './svg.ts'
import { intervalWords } from '../words.ts'

const WIDTH = 760
const BARS = { from: 200, to: 570 }
const ROW = 92
const BAR = 26
const HEAD = 44
/** Between the lines of a name. */
const LINE = 20
/** Of a metric's name, beside the bars. */
const MOST_CHARACTERS = 22

/** The hues of the two sides. */
export interface SideHues {
  readonly off: Hue
  readonly on: Hue
}

function key(palette: Palette, { off, on }: Comparison, hues: SideHues): string {
  const entry = (x: number, fill: string, name: string): string =>
    tag('rect', { x, y: 8, width: 14, height: 14, rx: 3, fill }) + label(x + 22, 20, name)
  const second = BARS.from + 50 + off.name.length * 8.2
  return (
    entry(BARS.from, hueFill(palette, hues.off), off.name) +
    entry(second, hueFill(palette, hues.on), on.name) +
    label(0, 20, 'Dots are single repeats', { fill: palette.muted, 'font-size': 14 })
  )
}

function side(palette: Palette, y: number, fill: string, value: number, values: readonly number[], row: ComparedRow) {
  const highest = maxOf([row.off, row.on, ...row.offValues, ...row.onValues, (row.interval?.high ?? 0) * row.off])
  const x = scale(0, highest, BARS.from, BARS.to)
  const middle = y + BAR / 2
  const dots = values.map((one, place) => {
    // Dots are spread over three rows, so that equal values do not overlap.
    const at = middle + ((place % 3) - 1) * 6
    return tag(
      'circle',
      { cx: x(one), cy: at, r: 4, fill: palette.surface, stroke: palette.ink, 'stroke-width': 1.5 },
      hint(formatMetric(row.metric, one)),
    )
  })
  return (
    tag('rect', { x: BARS.from, y, width: Math.max(1, x(value) - BARS.from), height: BAR, rx: 4, fill }) +
    dots.join('') +
    label(BARS.to + 18, middle + 5, formatNamed(row.metric, value), { 'font-weight': 600 })
  )
}

/** The ratio's interval on the scale of the bars: the value of `on` at both ends. */
function bracket(palette: Palette, y: number, row: ComparedRow): string {
  if (row.interval === null) return ''
  const highest = maxOf([row.off, row.on, ...row.offValues, ...row.onValues, row.interval.high * row.off])
  const x = scale(0, highest, BARS.from, BARS.to)
  const [low, high] = [x(row.interval.low * row.off), x(row.interval.high * row.off)]
  const d = `M${low.toFixed(1)} ${y - 5}v10M${low.toFixed(1)} ${y}H${high.toFixed(1)}M${high.toFixed(1)} ${y - 5}v10`
  return tag(
    'path',
    { d, stroke: palette.ink, 'stroke-width': 2, fill: 'none' },
    hint(`95 % interval: ${intervalWords(row)}`),
  )
}

function rowOf(palette: Palette, row: ComparedRow, top: number, hues: SideHues): string {
  const names = linesOf(metricOf(row.metric).name, MOST_CHARACTERS)
  return (
    names.map((line, place) => label(0, top + 22 + place * LINE, line, { 'font-weight': 600 })).join('') +
    label(0, top + 24 + names.length * LINE, formatChange(row.changePercent), { fill: palette.muted }) +
    side(palette, top, hueFill(palette, hues.off), row.off, row.offValues, row) +
    side(palette, top + BAR + 4, hueFill(palette, hues.on), row.on, row.onValues, row) +
    bracket(palette, top + 2 * BAR + 14, row)
  )
}

/**
 * Medians as bars from zero, each metric on its own scale.
 *
 * @param hues of arms of a larger experiment; by default as if there were only these two
 */
export function comparisonChart(
  comparison: Comparison,
  title: string,
  palette: Palette,
  hues: SideHues = { off: armHue(comparison.off.arm, 0), on: armHue(comparison.on.arm, 1) },
): Drawing {
  const metrics = comparison.rows.map(({ metric }) => metric)
  const drawn = new Set(chartsOf(comparison.tool, metrics).flat())
  // Metrics that only explain a result are in the table.
  const rows = comparison.rows.filter(({ metric, better }) => drawn.has(metric) && better !== 'neither')
  const description = rows
    .map((row) => {
      const [before, after] = [formatMetric(row.metric, row.off), formatMetric(row.metric, row.on)]
      return `${metricOf(row.metric).name}: ${comparison.off.name} ${before}, ${comparison.on.name} ${after}.`
    })
    .join(' ')
  const body = rows.map((row, place) => rowOf(palette, row, HEAD + place * ROW, hues)).join('')
  const size = { width: WIDTH, height: HEAD + rows.length * ROW }
  return { title, description, ...size, body: key(palette, comparison, hues) + body }
}
