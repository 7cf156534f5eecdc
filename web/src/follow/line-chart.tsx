import { formatMetric, metricOf } from '@expresslane/shared/features/metrics'
import { formatClockTime } from '@expresslane/shared/measure/clock'
import type { BenchmarkKind } from '@expresslane/shared/measure/benchmark'
import { medianOf } from '@expresslane/shared/measure/measurement'
import type { RepeatState } from '@expresslane/shared/run/run-state'
import { useMemo } from 'react'
import { shortNumber } from '../charts/axis.ts'
import { liveSeries } from '../charts/series.ts'
import classes from './line-chart.module.css'

interface LineChartProps {
  repeats: readonly RepeatState[]
  kind: BenchmarkKind
  /** The other arm's median, as a dashed line; null for none. */
  reference: number | null
}

function describe(repeats: readonly RepeatState[], { live, caption }: BenchmarkKind): string {
  const taken = repeats.flatMap(({ measurement }) => measurement ?? []).filter(({ warmup }) => !warmup)
  const median = medianOf(taken, live)
  return median === null ? `${caption} over time` : `${caption} over time, about ${formatMetric(live, median)}`
}

/** The live metric over time, run after run. It stretches to any width, and its text does not. */
export function LineChart({ repeats, kind, reference }: LineChartProps) {
  const { rows, lines, borders, seconds, clock, ticks } = useMemo(
    () => liveSeries(repeats, kind.live, reference),
    [repeats, kind.live, reference],
  )
  const top = ticks.at(-1) ?? 1
  const x = (at: number): number => (at / seconds) * 100
  const y = (value: number): number => 100 - (value / top) * 100
  const referenceAt = reference === null ? null : y(reference / metricOf(kind.live).axis.divisor)
  return (
    <figure className={classes.chart}>
      <div className={classes.ticks} aria-hidden>
        {ticks.map((tick) => (
          <span key={tick} style={{ top: `${y(tick)}%` }}>
            {shortNumber(tick)}
          </span>
        ))}
      </div>
      <svg
        className={classes.plot}
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
        role="img"
        aria-label={describe(repeats, kind)}
      >
        {ticks.map((tick) => (
          <line key={tick} x1="0" x2="100" y1={y(tick)} y2={y(tick)} className={classes.grid} />
        ))}
        {borders.map((at) => (
          <line key={at} x1={x(at)} x2={x(at)} y1="0" y2="100" className={classes.border} />
        ))}
        {referenceAt !== null && (
          <line x1="0" x2="100" y1={referenceAt} y2={referenceAt} className={classes.reference} />
        )}
        {lines.map(({ key }) => (
          <polyline
            key={key}
            className={classes.line}
            points={rows
              .flatMap((row) => (row[key] === undefined ? [] : [`${x(row.at).toFixed(2)},${y(row[key]).toFixed(2)}`]))
              .join(' ')}
          />
        ))}
      </svg>
      <figcaption className={classes.caption}>
        <span>{formatClockTime(0, clock)}</span>
        <span>{formatClockTime(Math.round(seconds), clock)}</span>
      </figcaption>
    </figure>
  )
}
