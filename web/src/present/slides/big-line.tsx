import { formatMetric, metricOf } from '@expresslane/shared/features/metrics'
import { formatClockTime } from '@expresslane/shared/measure/clock'
import type { BenchmarkKind } from '@expresslane/shared/measure/benchmark'
import type { RepeatState } from '@expresslane/shared/run/run-state'
import { useMemo } from 'react'
import { shortNumber } from '../../charts/axis.ts'
import { liveSeries } from '../../charts/series.ts'
import classes from './big-line.module.css'

interface BigLineProps {
  repeats: readonly RepeatState[]
  kind: BenchmarkKind
  /** The other arm's median, drawn as a line across; null for none. */
  reference: number | null
  referenceName: string
}

/** The live metric over time with thick lines; all its text has the size of the page's type. */
export function BigLine({ repeats, kind: { live, caption }, reference, referenceName }: BigLineProps) {
  const { rows, lines, borders, seconds, clock, ticks } = useMemo(
    () => liveSeries(repeats, live, reference),
    [repeats, live, reference],
  )
  const top = ticks.at(-1) ?? 1
  const up = (value: number): number => 100 - (value / top) * 100
  const across = (at: number): number => (at / seconds) * 100
  const other = reference === null ? null : up(reference / metricOf(live).axis.divisor)
  return (
    <figure className={classes.chart} aria-label={`${caption}, over ${formatClockTime(seconds, clock)}`}>
      <div className={classes.ticks} aria-hidden>
        {ticks.map((tick) => (
          <span key={tick} style={{ top: `${up(tick)}%` }}>
            {shortNumber(tick)}
          </span>
        ))}
      </div>
      <div className={classes.plot} aria-hidden>
        <svg viewBox="0 0 100 100" preserveAspectRatio="none">
          {ticks.map((tick) => (
            <line key={tick} className={classes.grid} x2="100" y1={up(tick)} y2={up(tick)} />
          ))}
          {borders.map((at) => (
            <line key={at} className={classes.border} x1={across(at)} x2={across(at)} y2="100" />
          ))}
          {other !== null && <line className={classes.reference} x2="100" y1={other} y2={other} />}
          {lines.map(({ key }) => (
            <polyline
              key={key}
              className={classes.line}
              stroke="var(--arm)"
              points={rows
                .flatMap((row) => (row[key] === undefined ? [] : [`${across(row.at)},${up(row[key])}`]))
                .join(' ')}
            />
          ))}
        </svg>
        {other !== null && reference !== null && (
          <p className={classes.referenceName} style={{ top: `${other}%` }}>
            {referenceName}: {formatMetric(live, reference)}
          </p>
        )}
      </div>
      <p className={classes.time} aria-hidden>
        <span>{formatClockTime(0, clock)}</span>
        <span>{formatClockTime(seconds, clock)}</span>
      </p>
    </figure>
  )
}
