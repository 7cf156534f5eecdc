import { headOf } from '@expresslane/shared/features/metrics'
import type { MetricId } from '@expresslane/shared/measure/metrics'
import tables from '../../components/tables.module.css'

/** The heads of a table's columns, one per metric. */
export function MetricHeads({ metrics }: { metrics: readonly MetricId[] }) {
  return metrics.map((metric) => (
    <th key={metric} scope="col" className={tables.number}>
      {headOf(metric)}
    </th>
  ))
}
