import { formatMetric, formatNamed } from '@expresslane/shared/features/metrics'
import type { MetricId } from '@expresslane/shared/measure/metrics'
import { formatChange } from '@expresslane/shared/measure/units'
import { barsEnd, type ArmBar } from './arm-bars.ts'
import { verdictSign, verdictWord } from '../words/comparison.ts'
import classes from './arms.module.css'

export interface ArmBarsProps {
  metric: MetricId
  bars: readonly ArmBar[]
}

function describe(metric: MetricId, { label, value, changePercent, verdict }: ArmBar): string {
  if (value === null) return `${label}: not measured yet`
  const against = changePercent === null ? '' : `, ${formatChange(changePercent)}`
  return `${label}: ${formatMetric(metric, value)}${against}${verdict === null ? '' : `, ${verdictWord[verdict].toLowerCase()}`}`
}

/** One bar per arm: the median, every run as a dot, and the interval of the difference from the first arm. */
export function ArmBars({ metric, bars }: ArmBarsProps) {
  const end = barsEnd(bars) || 1
  const percent = (value: number): string => `${(value / end) * 100}%`
  return (
    <div className={classes.bars} role="img" aria-label={bars.map((bar) => describe(metric, bar)).join('; ')}>
      {bars.map(({ arm, label, look, value, dots, interval, changePercent, verdict }) => (
        <div key={arm} className={classes.arm} data-hue={look.hue}>
          <p className={classes.label}>{label}</p>
          <div className={classes.track}>
            <div className={classes.bar} style={{ width: percent(value ?? 0) }} />
            {dots.map((dot, index) => (
              // A run has no id other than its index.
              <span key={`${index}:${dot}`} className={classes.dot} style={{ left: percent(dot) }} />
            ))}
            {interval !== null && (
              <span
                className={classes.interval}
                style={{ left: percent(interval.low), width: percent(interval.high - interval.low) }}
              />
            )}
          </div>
          <p className={classes.value}>
            {value === null ? '–' : formatNamed(metric, value)}
            {changePercent !== null && (
              <span className={classes.change}>
                {verdict !== null && `${verdictSign[verdict]} `}
                {formatChange(changePercent)}
              </span>
            )}
          </p>
        </div>
      ))}
    </div>
  )
}
