/** A sweep as lines: one small plot per case, the arms along x, the ratio to the first arm with its interval along y. */
import { i18n } from '../base/language.ts'
import { scalePoint } from 'd3-scale'
import type { CaseComparison, ComparedRow } from '../compare/comparison.ts'
import { formatRatio, intervalWords } from '../compare/words.ts'
import type { ExperimentPlan } from '../measure/experiment.ts'
import { formatChange } from '../base/units.ts'
import { ratioAxis, ratioTick, type RatioAxis } from './draw/axis.ts'
import { labelsBelow, leftAxis, note, RADIUS, STROKE, valueDot, type Chart, type Frame } from './draw/chart.ts'
import { bracket, group, line as lineThrough, moved, text, type Mark } from './draw/marks.ts'
import { sweepLines, type SweepCell, type SweepLine } from './sweep.ts'

const GAP = { x: 28, y: 24 }
/** The narrowest plot, in font sizes. */
const NARROW = 15

/** One axis for all cases, so that they can be compared. */
export function sweepAxis(lines: readonly SweepLine[]): RatioAxis {
  return ratioAxis(lines.flatMap(({ cells }) => cells.flatMap(({ row }) => row ?? [])))
}

/** A line's name and points: a sweep's case, or a sweep over something else than arms. */
interface Line {
  readonly of: Pick<SweepLine['of'], 'label'>
  readonly cells: readonly (Omit<SweepCell, 'row'> & {
    readonly row: Pick<ComparedRow, 'ratio' | 'interval' | 'changePercent'> | null
  })[]
}

/** The plot of one case. */
export function lineChart(line: Line, axis: RatioAxis, frame: Frame): Chart {
  const { width, text: size } = frame
  const [left, right, top] = [size * 3.4, width - size * 1.6, size * 0.6]
  const bottom = top + Math.min(size * 12, width * 0.5)
  const y = (ratio: number): number => bottom - (axis.place(ratio) / 100) * (bottom - top)
  const scale = scalePoint(
    line.cells.map(({ arm }) => arm),
    [left, right],
  )
  const x = (arm: string): number => scale(arm) ?? left
  const points = line.cells.flatMap(({ arm, label, row, baseline }) =>
    row === null && !baseline ? [] : [{ x: x(arm), label, row, ratio: row?.ratio ?? 1 }],
  )
  const grid = leftAxis(
    axis.ticks.map((tick) => ({ y: y(tick), words: ratioTick(tick), strong: tick === 1 })),
    [left, width],
    size,
  )
  const drawn = points.map(({ x: at, label, row, ratio }): Mark => {
    const marks = [
      ...(row?.interval ? bracket([at, y(row.interval.low)], [at, y(row.interval.high)]) : []),
      valueDot(at, y(ratio), size * RADIUS, 'on'),
    ]
    const words =
      row === null ? '' : `${line.of.label}, ${label}: ${formatChange(row.changePercent)} (${intervalWords(row)})`
    return group(marks, words)
  })
  const names = labelsBelow(
    line.cells.map(({ arm, label }) => ({ x: x(arm), words: label })),
    bottom + 8,
    frame,
  )
  const values = line.cells.map(
    ({ label, row }) => `${label} ${row === null ? i18n.t('none') : formatRatio(row.ratio)}`,
  )
  return {
    title: i18n.t('{case}, ratio by arm', { case: line.of.label }),
    description: `${values.join(', ')}.`,
    width,
    height: bottom + 8 + names.height,
    marks: [
      ...grid,
      lineThrough(
        points.map((one) => [one.x, y(one.ratio)] as const),
        'on',
        { strokeWidth: size * STROKE },
      ),
      ...drawn,
      ...names.marks,
    ],
  }
}

/** All cases on one logarithmic scale, as many beside each other as there is room for. */
export function linesChart(
  plan: ExperimentPlan,
  comparisons: readonly CaseComparison[],
  title: string,
  frame: Frame,
): Chart {
  const { text: size } = frame
  const lines = sweepLines(plan, comparisons)
  const axis = sweepAxis(lines)
  const columns = Math.max(1, Math.floor((frame.width + GAP.x) / (NARROW * size + GAP.x)))
  const width = (frame.width - (columns - 1) * GAP.x) / columns
  const plots = lines.map((line) => lineChart(line, axis, { ...frame, width }))
  const high = (plots[0]?.height ?? 0) + size * 1.6 + GAP.y
  const marks = plots.map((plot, index) =>
    moved((index % columns) * (width + GAP.x), Math.floor(index / columns) * high, [
      text(0, size, lines[index]?.of.label ?? '', { fontSize: size, fontWeight: 600 }),
      moved(0, size * 1.6, plot.marks),
    ]),
  )
  const bottom = Math.ceil(plots.length / columns) * high
  const together = comparisons.some(({ comparison }) => comparison.control.method !== 'none')
  const arm = plan.arms[0]?.label ?? i18n.t('the first arm')
  const foot = note(
    together
      ? i18n.t(
          'Ratio to {arm}, on a logarithmic axis. Brackets are simultaneous 95 % intervals, if there are enough repeats.',
          { arm },
        )
      : i18n.t('Ratio to {arm}, on a logarithmic axis. Brackets are 95 % intervals, if there are enough repeats.', {
          arm,
        }),
    bottom,
    frame,
  )
  return {
    title,
    description: plots.map((plot) => `${plot.title}: ${plot.description}`).join(' '),
    width: frame.width,
    height: bottom + foot.height,
    marks: [...marks, ...foot.marks],
  }
}
