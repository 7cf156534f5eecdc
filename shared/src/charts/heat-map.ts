/** A sweep as a map: one column per arm, one row per case, each cell the ratio to the first arm. */
import { scaleBand } from 'd3-scale'
import type { CaseComparison, Verdict } from '../compare/comparison.ts'
import { formatRatio, intervalWords, verdictName, verdictSign } from '../compare/words.ts'
import { maxOf } from '../measure/extremes.ts'
import type { ExperimentPlan } from '../measure/experiment.ts'
import { formatChange } from '../measure/units.ts'
import { FULL_RATIO, ratioStrength } from './draw/axis.ts'
import { keyRows, linesOf, note, textWidth, type Chart, type Frame } from './draw/chart.ts'
import { group, LINE, moved, rect, text, type Mark } from './draw/marks.ts'
import type { Paint } from './draw/palette.ts'
import { sweepLines, type SweepCell, type SweepLine } from './sweep.ts'

const GAP = 4
const verdicts: readonly Verdict[] = ['improved', 'worse', 'no-difference', 'too-few']

/** The choice of a cell. */
export function cellId(caseId: string, arm: string): string {
  return `${caseId} ${arm}`
}

/** The cell of a choice: ids of arms have no spaces. */
export function cellOf(id: string): { caseId: string; arm: string } {
  const at = id.lastIndexOf(' ')
  return { caseId: id.slice(0, at), arm: id.slice(at + 1) }
}

function inWords({ of }: SweepLine, { label, row }: SweepCell): string {
  if (row === null) return `${of.label} at ${label}: not compared yet`
  const sure = row.interval === null ? 'no interval yet' : `95 % interval ${intervalWords(row)}`
  return `${of.label} at ${label}: ${formatRatio(row.ratio)}, ${formatChange(row.changePercent)}, ${sure}, ${verdictName[row.verdict]}`
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
  const signs = keyRows(
    verdicts.map((verdict) => ({
      name: verdictName[verdict],
      width: size * 1.7,
      sign: (at, middle) => [
        rect(at, middle - size * 0.7, size * 1.7, size * 1.4, { ...box(verdict, 0.8), rx: 5 }),
        text(at + size * 0.85, middle + size * 0.35, verdictSign[verdict], { fontSize: size, textAnchor: 'middle' }),
      ],
    })),
    0,
    frame,
  )
  const inverse = (1 / FULL_RATIO).toFixed(2)
  const words = note(
    `Ratio to ${plan.arms[0]?.label ?? 'the first arm'}. The colour is logarithmic: full at ×${FULL_RATIO} and at ×${inverse}.`,
    0,
    frame,
  )
  const below = 16 + signs.height + words.height
  const free = frame.height === null ? size * 2.9 : (frame.height - top - below) / Math.max(1, lines.length)
  const high = Math.max(size * 1.7, Math.min(size * 3.6, free))
  const cell = (line: SweepLine, row: number, one: SweepCell, column: number): Mark[] => {
    const [left, at] = [(x(one.arm) ?? 0) + GAP / 2, top + row * high + GAP / 2]
    const [wide, tall] = [x.bandwidth() - GAP, high - GAP]
    const centre = { fontSize: size, textAnchor: 'middle' } as const
    const [middle, baseline] = [left + wide / 2, at + tall / 2 + size * 0.35]
    if (one.baseline) return [text(middle, baseline, '×1', { ...centre, fill: 'muted' })]
    const verdict = one.row?.verdict ?? 'too-few'
    const figure = one.row === null ? '–' : `${verdictSign[verdict]} ${formatRatio(one.row.ratio)}`
    const sure = verdict === 'improved' || verdict === 'worse'
    const marks = [
      rect(left, at, wide, tall, { ...box(verdict, ratioStrength(one.row?.ratio ?? 1)), rx: 7 }),
      text(middle, baseline, figure, {
        ...centre,
        ...(sure ? { fontWeight: 600 } : {}),
        ...(verdict === 'too-few' ? { fill: 'muted' } : {}),
      }),
    ]
    const choice = one.row === null ? undefined : { id: cellId(line.of.id, one.arm), row, column }
    return [group(marks, inWords(line, one), choice)]
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
