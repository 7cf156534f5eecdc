/** The headings of a measurement and of its tables. */
import { headOf } from '@expresslane/shared/features/metrics'
import type { MetricId } from '@expresslane/shared/measure/metrics'
import type { ReactNode } from 'react'
import tables from '../../components/tables.module.css'

/** A heading with the hue of the arm around it. */
export function ArmHeading({ level: Heading, id, children }: { level: 'h3' | 'h4'; id: string; children: ReactNode }) {
  return (
    <Heading id={id} className="large row one-line">
      <span className="swatch" aria-hidden />
      {children}
    </Heading>
  )
}

/** The heads of a table's columns, one per metric. */
export function MetricHeads({ metrics }: { metrics: readonly MetricId[] }) {
  return metrics.map((metric) => (
    <th key={metric} scope="col" className={tables.number}>
      {headOf(metric)}
    </th>
  ))
}
