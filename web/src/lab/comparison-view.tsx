import type { Comparison } from '@expresslane/shared/compare'
import type { Arm } from '@expresslane/shared/measurement'
import { formatChange } from '@expresslane/shared/units'
import { CompareBars } from '../charts/lazy.tsx'
import { armName } from '../theme.ts'
import classes from './comparison-view.module.css'
import { formatMetric, metricName } from './metrics.ts'
import tables from './tables.module.css'

interface ComparisonViewProps {
  comparison: Comparison
  /** Names of the two sides where they are not the arms. */
  names?: Record<Arm, string>
  /** Said instead of the comparison's own sentence, which speaks of BIG TCP. */
  sentence?: string
}

/** Before and after: the difference, in bars with every repeat as a dot, and as a table. */
export function ComparisonView({ comparison, names = armName, sentence }: ComparisonViewProps) {
  const tps = comparison.rows.find(({ metric }) => metric === 'tps')
  return (
    <section aria-labelledby="compared" className={classes.view}>
      <h3 id="compared" className="hidden">
        Before and after
      </h3>
      <div className={classes.headline}>
        {tps !== undefined && (
          <p className={classes.change}>
            {formatChange(tps.changePercent)} <span className={classes.unit}>TPS</span>
          </p>
        )}
        <p className={classes.sentence}>{sentence ?? comparison.sentence}</p>
      </div>
      <p className={classes.legend}>
        <span data-arm="off">{names.off}</span>
        <span data-arm="on">{names.on}</span>
        <span className={classes.dotNote}>bars are medians, each dot is one repeat</span>
      </p>
      <CompareBars comparison={comparison} names={names} />
      <div className={tables.scroll} role="region" aria-label="Comparison" tabIndex={0}>
        <table className={tables.table}>
          <caption className="hidden">Medians of both sides and the difference</caption>
          <thead>
            <tr>
              <th scope="col">Median</th>
              <th scope="col" className={tables.number}>
                {names.off}
              </th>
              <th scope="col" className={tables.number}>
                {names.on}
              </th>
              <th scope="col" className={tables.number}>
                Difference
              </th>
            </tr>
          </thead>
          <tbody>
            {comparison.rows.map(({ metric, off, on, changePercent }) => (
              <tr key={metric}>
                <th scope="row">{metricName[metric]}</th>
                <td className={tables.number}>{formatMetric(metric, off)}</td>
                <td className={tables.number}>{formatMetric(metric, on)}</td>
                <td className={tables.number}>{formatChange(changePercent)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
