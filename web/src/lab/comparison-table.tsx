import type { ComparedRow, Comparison } from '@expresslane/shared/compare'
import { capitalized } from '../components/format.ts'
import { finerThanTool, formatInterval, formatP, formatRatio } from './comparison-words.ts'
import classes from './comparison-table.module.css'
import { formatMetric, metricName } from './metrics.ts'
import tables from './tables.module.css'
import { VerdictMark } from './verdict-headline.tsx'

/** Every figure of a comparison, a row a metric. */
export function ComparisonTable({ comparison: { off, on, rows } }: { comparison: Comparison }) {
  const figures = [capitalized(off.name), capitalized(on.name), 'Ratio', '95 % interval', 'p']
  return (
    <div className={tables.scroll} role="region" aria-label="Comparison" tabIndex={0}>
      <table className={tables.table}>
        <caption className="hidden">Medians of both sides, the difference and its verdict</caption>
        <thead>
          <tr>
            <th scope="col">Median</th>
            {figures.map((name) => (
              <th key={name} scope="col" className={tables.number}>
                {name}
              </th>
            ))}
            <th scope="col" className={classes.verdict}>
              Verdict
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
  const finer = finerThanTool(row)
  return (
    <tr>
      <th scope="row">{metricName[row.metric]}</th>
      <td className={tables.number}>{formatMetric(row.metric, row.off)}</td>
      <td className={tables.number}>{formatMetric(row.metric, row.on)}</td>
      <td className={tables.number}>{formatRatio(row.ratio)}</td>
      <td className={tables.number}>{formatInterval(row) ?? '–'}</td>
      <td className={tables.number}>{formatP(row.p)}</td>
      <td className={classes.verdict}>
        {row.better === 'neither' ? (
          <span className={classes.note}>explains, is no goal</span>
        ) : (
          <VerdictMark verdict={row.verdict} />
        )}
        {finer !== null && <span className={classes.note}>{finer}</span>}
      </td>
    </tr>
  )
}
