import { formatChange } from '@expresslane/shared/measure/units'
import { Fragment, useRef, type KeyboardEvent } from 'react'
import { formatInterval, verdictSign, verdictWord } from '../../words/comparison.ts'
import { strength, type SweepCell, type SweepLine } from './cells.ts'
import classes from './heat-map.module.css'

export interface HeatMapProps {
  lines: readonly SweepLine[]
  /** The comparison in the cells: `Transactions per second vs. 64K`. */
  title: string
  /** The cell whose comparison is open. */
  chosen: { readonly caseId: string | null; readonly arm: string } | null
  onChoose: (caseId: string, arm: string) => void
}

const moves: Record<string, readonly [number, number]> = {
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
}

function cellName(line: SweepLine, { label, row }: SweepCell): string {
  if (row === null) return `${line.of.label} at ${label}: not compared yet`
  const interval = formatInterval(row)
  const sure = interval === null ? 'no interval yet' : `95 % interval ${interval}`
  // The name contains the visible text, so that voice control finds the cell by it.
  return `${line.of.label} at ${label}: ×${row.ratio.toFixed(2)}, ${formatChange(row.changePercent)}, ${sure}, ${verdictWord[row.verdict].toLowerCase()}`
}

/**
 * The main metric compared with the baseline: one row per size, one column per arm. A cell with a verdict has a
 * colour, a sign and a number. Arrow keys move between cells; Enter opens the comparison.
 */
export function HeatMap({ lines, title, chosen, onChoose }: HeatMapProps) {
  const table = useRef<HTMLTableElement>(null)
  const [first] = lines
  if (first === undefined) return null
  const move = (event: KeyboardEvent): void => {
    const by = moves[event.key]
    const cell = event.target instanceof Element ? event.target.closest('td') : null
    const row = cell?.parentElement
    if (by === undefined || !(row instanceof HTMLTableRowElement) || cell === null) return
    event.preventDefault()
    const next = table.current?.rows[row.rowIndex + by[0]]?.cells[cell.cellIndex + by[1]]
    next?.querySelector('button')?.focus()
  }
  return (
    <div className={classes.scroll}>
      <table ref={table} className={classes.map}>
        <caption className="hidden">{title}, by request size and arm</caption>
        <thead>
          <tr>
            <th scope="col">Request</th>
            {first.cells.map(({ arm, label }) => (
              <th key={arm} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.of.id}>
              <th scope="row">{line.of.label}</th>
              {line.cells.map((cell) => (
                <Fragment key={cell.arm}>
                  {cell.baseline ? (
                    <td className={classes.baseline}>×1</td>
                  ) : (
                    <td>
                      <Cell
                        line={line}
                        cell={cell}
                        chosen={chosen?.caseId === line.of.id && chosen.arm === cell.arm}
                        onChoose={onChoose}
                        onMove={move}
                      />
                    </td>
                  )}
                </Fragment>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface CellProps extends Pick<HeatMapProps, 'onChoose'> {
  line: SweepLine
  cell: SweepCell
  chosen: boolean
  onMove: (event: KeyboardEvent) => void
}

function Cell({ line, cell, chosen, onChoose, onMove }: CellProps) {
  const { row, arm } = cell
  const verdict = row?.verdict ?? 'too-few'
  const mix = row === null ? 0 : Math.round(10 + strength(row.ratio) * 42)
  return (
    <button
      type="button"
      className={classes.cell}
      data-verdict={verdict}
      aria-label={cellName(line, cell)}
      aria-pressed={chosen}
      disabled={row === null}
      style={{ '--mix': `${mix}%` } as Record<string, string>}
      onClick={() => onChoose(line.of.id, arm)}
      onKeyDown={onMove}
    >
      <span className={classes.sign} aria-hidden>
        {row === null ? '' : verdictSign[verdict]}
      </span>
      {row === null ? '–' : `×${row.ratio.toFixed(2)}`}
    </button>
  )
}

interface HeatMapLegendProps {
  baseline: string
  /** In one line, for a slide. */
  brief?: boolean
}

/** The meaning of colours, signs and patterns. */
export function HeatMapLegend({ baseline, brief = false }: HeatMapLegendProps) {
  const words = {
    improved: `faster than ${baseline}${brief ? '' : ': the stronger the blue, the faster'}`,
    worse: brief ? 'slower' : `slower than ${baseline}: the stronger the orange, the slower`,
    'no-difference': 'no difference seen',
    'too-few': brief ? 'too few repeats' : 'too few repeats for a verdict',
  }
  return (
    <ul role="list" className={classes.legend}>
      {(['improved', 'worse', 'no-difference', 'too-few'] as const).map((verdict) => (
        <li key={verdict}>
          <span className={classes.swatch} data-verdict={verdict} aria-hidden>
            {verdictSign[verdict]}
          </span>
          {words[verdict]}
        </li>
      ))}
    </ul>
  )
}
