import type { ComparedRow, Comparison } from '@expresslane/shared/compare/comparison'
import { roleWords } from '@expresslane/shared/compare/control'
import { capitalized } from '@expresslane/shared/features/words'
import { formatNamed, metricOf } from '@expresslane/shared/features/metrics'
import { formatRatio } from '@expresslane/shared/compare/words'
import { finerThanTool, formatP, formatRatioInterval } from '../words/comparison.ts'
import classes from './comparison-table.module.css'
import tables from '../components/tables.module.css'
import { VerdictMark } from './verdict-headline.tsx'

/** All figures of a comparison, one row per metric. */
export function ComparisonTable({ comparison: { off, on, rows } }: { comparison: Comparison }) {
  return (
    <div className={tables.scroll} role="region" aria-label="Comparison" tabIndex={0}>
      <table className={`${tables.table} ${classes.table}`}>
        <caption className="hidden">Medians of both sides, the difference and its verdict</caption>
        <thead>
          <tr>
            <th scope="col">Median</th>
            <th scope="col" className={tables.number}>
              {capitalized(off.name)}
            </th>
            <th scope="col" className={tables.number}>
              {capitalized(on.name)}
            </th>
            <th scope="col" className={tables.number}>
              Ratio, 95 % interval
            </th>
            <th scope="col" className={classes.verdict}>
              Verdict, p
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.metric} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Row({ row }: { row: ComparedRow }) {
  const { metric, off, on, ratio, p, adjustedP, role, verdict } = row
  const finer = finerThanTool(row)
  const counts = roleWords(role)
  return (
    <tr data-role={role}>
      <th scope="row" className={tables.name}>
        {metricOf(metric).name}
        {finer !== null && <span className="block regular muted">{finer}</span>}
      </th>
      <td className={tables.number}>{formatNamed(metric, off)}</td>
      <td className={tables.number}>{formatNamed(metric, on)}</td>
      <td className={tables.number}>
        {formatRatio(ratio)}
        <span className="block regular muted">{formatRatioInterval(row) ?? 'none'}</span>
      </td>
      <td className={classes.verdict}>
        {role === 'explains' ? counts : <VerdictMark verdict={verdict} />}
        {role === 'exploratory' && <span className="block regular muted">{counts}</span>}
        <span className="block regular muted">{formatP(p)}</span>
        {adjustedP !== null && <span className="block regular muted">{formatP(adjustedP)} adjusted</span>}
      </td>
    </tr>
  )
}
