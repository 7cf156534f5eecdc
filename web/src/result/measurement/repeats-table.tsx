import { formatCell } from '@expresslane/shared/features/metrics'
import type { BenchmarkKind } from '@expresslane/shared/measure/benchmark'
import { valueOf, type Measurement } from '@expresslane/shared/measure/measurement'
import { MetricHeads } from './headings.tsx'
import tables from '../../components/tables.module.css'

interface RepeatsTableProps {
  kind: BenchmarkKind
  taken: readonly Measurement[]
}

/** All repeats of one tool, with marked warm-up runs. */
export function RepeatsTable({ kind: { columns }, taken }: RepeatsTableProps) {
  return (
    <div className={tables.scroll} role="region" aria-label="Each repeat" tabIndex={0}>
      <table className={tables.table}>
        <caption className="hidden">Every repeat</caption>
        <thead>
          <tr>
            <th scope="col">Repeat</th>
            <MetricHeads metrics={columns} />
          </tr>
        </thead>
        <tbody>
          {taken.map((one) => (
            <tr key={one.repeat} className={one.warmup ? 'muted' : undefined}>
              <th scope="row">
                {one.repeat}
                {one.warmup && <span className="block regular">warm-up, not counted</span>}
              </th>
              {columns.map((metric) => (
                <td key={metric} className={tables.number}>
                  {formatCell(metric, valueOf(one, metric))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
