import { formatMetric, metricOf } from '@expresslane/shared/features/metrics'
import { formatClockTime } from '@expresslane/shared/measure/clock'
import type { RateLine } from './sample-series.ts'
import classes from './rate-line.module.css'

const HEIGHT = 180

/** A live metric over time; the part that the tool leaves out is shaded. */
export function RateChart({ line, name }: { line: RateLine; name: string }) {
  const { metric, points, omittedUntil, ticks, seconds, clock } = line
  const top = ticks.at(-1) ?? 1
  const rates = points.map(({ value }) => formatMetric(metric, value))
  return (
    <figure className={classes.chart}>
      <figcaption className={classes.title}>{metricOf(metric).axis.title} over time</figcaption>
      <div className={classes.frame}>
        <div className={classes.ticks} aria-hidden>
          {ticks.toReversed().map((tick) => (
            <span key={tick}>{tick}</span>
          ))}
        </div>
        <svg
          width="100%"
          height={HEIGHT}
          role="img"
          aria-label={`${name}: ${rates.join(', ')}.`}
          className={classes.plot}
        >
          {omittedUntil > 0 && <rect width={`${omittedUntil}%`} height="100%" className={classes.omitted} />}
          {ticks.map((tick) => (
            <line
              key={tick}
              x2="100%"
              y1={`${100 - (tick / top) * 100}%`}
              y2={`${100 - (tick / top) * 100}%`}
              className={classes.grid}
            />
          ))}
          <svg viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height="100%" className={classes.plot}>
            <polyline points={points.map(({ x, y }) => `${x},${y}`).join(' ')} className={classes.line} />
          </svg>
          {points.map(({ x, y, omitted }) => (
            <circle key={x} cx={`${x}%`} cy={`${y}%`} r={4.5} className={omitted ? classes.left : classes.dot} />
          ))}
        </svg>
      </div>
      <p className={classes.time} aria-hidden>
        <span>
          {formatClockTime(0, clock)}
          {omittedUntil > 0 && ', start excluded'}
        </span>
        <span>{formatClockTime(Math.round(seconds), clock)}</span>
      </p>
    </figure>
  )
}
