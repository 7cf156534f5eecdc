/** A sweep: one column per arm, one row per case, each cell the change against the first arm. */
import type { CaseComparison } from '../../compare/comparison.ts'
import type { ExperimentPlan } from '../../measure/experiment.ts'
import { formatChange } from '../../measure/units.ts'
import type { Palette } from './palette.ts'
import { hint, label, tag, type Drawing } from './svg.ts'
import { verdictName } from '../words.ts'

const LABELS = 176
const CELL = { width: 116, height: 46 }
const HEAD = 40
/** A change of this size gets the full colour. */
const FULL_PERCENT = 60

/** Only cells with a verdict are coloured. */
export function heatMap(
  plan: ExperimentPlan,
  comparisons: readonly CaseComparison[],
  title: string,
  palette: Palette,
): Drawing {
  const [first, ...arms] = plan.arms
  const descriptions: string[] = []
  const columns = arms.map(({ label: name }, place) =>
    label(LABELS + (place + 0.5) * CELL.width, 24, name, { 'text-anchor': 'middle', 'font-weight': 600 }),
  )
  const rows = plan.cases.map((one, line) => {
    const y = HEAD + line * CELL.height
    const cells = arms.map((arm, place) => {
      const found = comparisons.find((each) => each.caseId === one.id && each.arm === arm.id)
      const row = found?.comparison.rows[0]
      const x = LABELS + place * CELL.width
      const box = { x: x + 2, y: y + 2, width: CELL.width - 4, height: CELL.height - 4, rx: 6 }
      const middle = { 'text-anchor': 'middle' }
      if (found === undefined || row === undefined) {
        const empty = tag('rect', { ...box, fill: 'none', stroke: palette.line })
        return empty + label(x + CELL.width / 2, y + 28, '–', { ...middle, fill: palette.muted })
      }
      const { verdict } = found.comparison
      const change = formatChange(row.changePercent)
      descriptions.push(`${one.label}, ${arm.label}: ${change}, ${verdictName[verdict]}.`)
      const sure = verdict === 'improved' || verdict === 'worse'
      const opacity = sure ? 0.12 + 0.38 * Math.min(1, Math.abs(row.changePercent) / FULL_PERCENT) : 0
      const fill = verdict === 'worse' ? palette.off : palette.on
      const rect = tag('rect', { ...box, fill, 'fill-opacity': opacity.toFixed(2), stroke: palette.line })
      const words = label(x + CELL.width / 2, y + 28, change, {
        ...middle,
        ...(sure ? { 'font-weight': 600 } : { fill: palette.muted }),
      })
      return tag('g', {}, hint(`${one.label}, ${arm.label}: ${change}, ${verdictName[verdict]}`), rect, words)
    })
    return label(0, y + 28, one.label) + cells.join('')
  })
  const height = HEAD + plan.cases.length * CELL.height + 34
  const judged = comparisons.some(({ comparison }) => comparison.control.method !== 'none')
    ? ', all judged together'
    : ''
  const words = `Compared with ${first?.label ?? ''}${judged}. Cells with a verdict are coloured.`
  const foot = label(0, height - 10, words, {
    fill: palette.muted,
    'font-size': 14,
  })
  const width = Math.max(560, LABELS + arms.length * CELL.width)
  return { title, description: descriptions.join(' '), width, height, body: columns.join('') + rows.join('') + foot }
}
