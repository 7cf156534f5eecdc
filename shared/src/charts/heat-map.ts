/** A sweep as a map: one column per arm, one row per case, each cell the ratio to the first arm. */
import { i18n } from '../base/language.ts'
import { scaleBand } from 'd3-scale'
import type { CaseComparison, Verdict } from '../compare/comparison.ts'
import { formatRatio, intervalWords, verdictName, verdictSign } from '../compare/words.ts'
import { maxOf } from '../measure/extremes.ts'
import type { ExperimentPlan } from '../measure/experiment.ts'
import { formatChange, formatFixed } from '../base/units.ts'
import { FULL_RATIO, ratioStrength } from './draw/axis.ts'
import { keyRows, linesOf, note, textWidth, type Block, type Chart, type Frame } from './draw/chart.ts'
import { group, LINE, moved, rect, text, type Choice, type Mark } from './draw/marks.ts'
import type { Paint } from './draw/palette.ts'
import { sweepLines, type SweepCell, type SweepLine } from './sweep.ts'

const GAP = 4
const verdicts: readonly Verdict[] = ['improved', 'worse', 'no-difference', 'too-few']

/** The choice of a cell. @param caseId null if each arm was measured in a separate step */
export function cellId(caseId: string | null, arm: string): string {
  return `${caseId ?? ''} ${arm}`
}

function inWords({ of }: SweepLine, { label, row }: SweepCell): string {
  if (row === null) return i18n.t('{case} at {arm}: not compared yet', { case: of.label, arm: label })
  const interval =
    row.interval === null
      ? i18n.t('no interval yet')
      : i18n.t('95 % interval {interval}', { interval: intervalWords(row) })
  return i18n.t('{case} at {arm}: {ratio}, {change}, {interval}, {verdict}', {
    case: of.label,
    arm: label,
    ratio: formatRatio(row.ratio),
    change: formatChange(row.changePercent),
    interval,
    verdict: verdictName[row.verdict],
  })
}

/** The colour of a verdict: blue for improved, orange for worse, as the arms of a pair have them. */
function box(
  verdict: Verdict,
  strength: number,
): { fill: Paint; fillOpacity: number; stroke: Paint; strokeDasharray?: string } {
  const sure = verdict === 'improved' || verdict === 'worse'
  return {
    fill: sure ? (verdict === 'worse' ? 'off' : 'on') : 'surface',
    fillOpacity: sure ? Math.round((0.1 + strength * 0.42) * 100) / 100 : 1,
    stroke: 'line',
    ...(verdict === 'too-few' ? { strokeDasharray: '4 3' } : {}),
  }
}

/** The signs and colours of verdicts. */
function signKey(frame: Frame): Block {
  const { text: size } = frame
  const entries = verdicts.map((verdict) => ({
    name: verdictName[verdict],
    width: size * 1.7,
    sign: (x: number, middle: number) => [
      rect(x, middle - size * 0.7, size * 1.7, size * 1.4, { ...box(verdict, 0.8), rx: 5 }),
      text(x + size * 0.85, middle + size * 0.35, verdictSign[verdict], { fontSize: size, textAnchor: 'middle' }),
    ],
  }))
  return keyRows(entries, 0, frame)
}

interface Place {
  readonly x: number
  readonly y: number
  readonly wide: number
  readonly high: number
}

function cellMarks({ baseline, row }: SweepCell, place: Place, size: number, words: string, choice?: Choice): Mark[] {
  const { x, y, wide, high } = place
  const centre = { fontSize: size, textAnchor: 'middle' } as const
  const [middle, below] = [x + wide / 2, y + high / 2 + size * 0.35]
  if (baseline) return [text(middle, below, '×1', { ...centre, fill: 'muted' })]
  const verdict = row?.verdict ?? 'too-few'
  const figure = row === null ? '–' : `${verdictSign[verdict]} ${formatRatio(row.ratio)}`
  const sure = verdict === 'improved' || verdict === 'worse'
  const look = sure ? { fontWeight: 600 } : verdict === 'too-few' ? ({ fill: 'muted' } as const) : {}
  const marks = [
    rect(x, y, wide, high, { ...box(verdict, ratioStrength(row?.ratio ?? 1)), rx: 7 }),
    text(middle, below, figure, { ...centre, ...look }),
  ]
  return [group(marks, words, choice)]
}

/**
 * Only cells with a verdict are coloured. The colour is logarithmic, as the axes of ratios are, so that twice and half
 * are equally strong.
 */
export function heatMap(
  plan: ExperimentPlan,
  comparisons: readonly CaseComparison[],
  title: string,
  frame: Frame,
): Chart {
  const { text: size } = frame
  const lines = sweepLines(plan, comparisons)
  const arms = lines[0]?.cells ?? []
  const names =
    Math.min(
      frame.width * 0.4,
      maxOf(
        lines.map(({ of }) => textWidth(of.label, size)),
        0,
      ),
    ) + 12
  const width = Math.max(frame.width, names + arms.length * size * 5.2)
  const x = scaleBand(
    arms.map(({ arm }) => arm),
    [names, width],
  )
  const heads = arms.map(({ arm, label }) => ({
    at: (x(arm) ?? 0) + x.bandwidth() / 2,
    words: linesOf(label, x.bandwidth(), size),
  }))
  const top = maxOf(heads.map(({ words }) => words.length)) * size * LINE + 8
  const signs = signKey(frame)
  const words = note(
    i18n.t('Ratio to {arm}. The colour is logarithmic: full at ×{ratio} and at ×{inverse}.', {
      arm: plan.arms[0]?.label ?? i18n.t('the first arm'),
      ratio: FULL_RATIO,
      inverse: formatFixed(1 / FULL_RATIO, 2),
    }),
    0,
    frame,
  )
  const below = 16 + signs.height + words.height
  const free =
    frame.height === null ? size * (frame.dense ? 2.1 : 2.9) : (frame.height - top - below) / Math.max(1, lines.length)
  const high = Math.max(size * 1.7, Math.min(size * 3.6, free))
  const cell = (line: SweepLine, row: number, one: SweepCell, column: number): Mark[] => {
    const place = {
      x: (x(one.arm) ?? 0) + GAP / 2,
      y: top + row * high + GAP / 2,
      wide: x.bandwidth() - GAP,
      high: high - GAP,
    }
    const choice = { id: cellId(line.of.id, one.arm), row, column }
    return one.baseline || one.row === null
      ? cellMarks(one, place, size, inWords(line, one))
      : cellMarks(one, place, size, inWords(line, one), choice)
  }
  const bottom = top + lines.length * high
  return {
    title,
    description: lines
      .flatMap((line) => line.cells.flatMap((one) => (one.row === null ? [] : `${inWords(line, one)}.`)))
      .join(' '),
    width,
    height: bottom + below,
    marks: [
      ...heads.map(({ at, words: label }) =>
        text(at, size, label, { fill: 'muted', fontSize: size, textAnchor: 'middle' }),
      ),
      ...lines.flatMap((line, row) => [
        text(0, top + row * high + high / 2 + size * 0.35, line.of.label, { fontSize: size }),
        ...line.cells.flatMap((one, column) => cell(line, row, one, column)),
      ]),
      moved(0, bottom + 10, signs.marks),
      moved(0, bottom + 16 + signs.height, words.marks),
    ],
  }
}
