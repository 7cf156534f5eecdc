import { numberAxis, type CaseScale, type ScaleLine } from '@expresslane/shared/compare/case-scale'
import { axisTitle, formatMetric, metricOf } from '@expresslane/shared/features/metrics'
import type { MetricId } from '@expresslane/shared/measure/metrics'
import { niceTicks } from '@expresslane/shared/measure/ticks'
import { formatCount } from '@expresslane/shared/measure/units'
import { Fragment } from 'react'
import { armLook } from '../../theme.ts'
import classes from './scale-lines.module.css'

/** As a share of the axis. */
const LABEL_ROOM = 0.35

interface ScaleLinesProps {
  scale: CaseScale
  lines: readonly ScaleLine[]
  metric: MetricId
}

function tickWords(tick: number): string {
  return tick >= 1000 ? formatCount(tick) : String(Number(tick.toPrecision(3)))
}

/** Each arm's medians over the number by which the cases differ: the numbers along x, the metric along y. */
export function ScaleLines({ scale, lines, metric }: ScaleLinesProps) {
  const { divisor } = metricOf(metric).axis
  const points = lines.flatMap((line) => line.points)
  const values = points.flatMap(({ median, interval }) =>
    interval === null ? [median] : [interval.low, median, interval.high],
  )
  const yAxis = numberAxis(
    values.map((value) => value / divisor),
    niceTicks,
  )
  const stops = scale.stops.map(({ value }) => value)
  const xAxis = numberAxis(stops, niceTicks)
  const x = (value: number): string => `${(xAxis.place(value) * 100).toFixed(2)}%`
  const y = (value: number): string => `${((1 - yAxis.place(value / divisor)) * 100).toFixed(2)}%`
  // On a phone a label close to the one before it stands on a second line.
  const lower = new Set<number>()
  for (const [index, stop] of stops.entries()) {
    const before = stops[index - 1]
    const close = before !== undefined && xAxis.place(stop) - xAxis.place(before) < LABEL_ROOM
    if (close && !lower.has(index - 1)) lower.add(index)
  }
  const words = lines.map(({ label, points: own }) => {
    const at = own.map(({ caseId, median }) => {
      const stop = scale.stops.find((one) => one.caseId === caseId)
      return `${stop?.words ?? caseId}: ${formatMetric(metric, median)}`
    })
    return `${label} ${at.join(', ')}`
  })
  return (
    <figure className={classes.chart}>
      <figcaption className={classes.caption}>
        {axisTitle(metric)}
        {yAxis.logarithmic && ' (logarithmic)'}
      </figcaption>
      <ul role="list" className={classes.legend}>
        {lines.map(({ arm, label, place }) => (
          <li key={arm} data-hue={armLook(arm, place).hue}>
            {label}
          </li>
        ))}
      </ul>
      <div
        className={classes.frame}
        role="img"
        aria-label={`${axisTitle(metric)} over ${scale.name}. ${words.join('; ')}.`}
      >
        <div className={classes.plot}>
          {yAxis.ticks.map((tick) => (
            <span key={tick} className={classes.y} style={{ top: y(tick * divisor) }}>
              {tickWords(tick)}
            </span>
          ))}
          <svg width="100%" height="100%" className={classes.svg} aria-hidden>
            {yAxis.ticks.map((tick) => (
              <line
                key={tick}
                x1="0"
                x2="100%"
                y1={y(tick * divisor)}
                y2={y(tick * divisor)}
                className={classes.grid}
              />
            ))}
            {lines.map(({ arm, place, points: own }) => (
              <g key={arm} data-hue={armLook(arm, place).hue} className={classes.arm}>
                {own.map(({ caseId, value, median, interval }, index) => {
                  const before = own[index - 1]
                  return (
                    <Fragment key={caseId}>
                      {before !== undefined && (
                        <line
                          x1={x(before.value)}
                          y1={y(before.median)}
                          x2={x(value)}
                          y2={y(median)}
                          className={classes.line}
                        />
                      )}
                      {interval !== null && (
                        <line
                          x1={x(value)}
                          x2={x(value)}
                          y1={y(interval.low)}
                          y2={y(interval.high)}
                          className={classes.bar}
                        />
                      )}
                      <circle cx={x(value)} cy={y(median)} r="5.5" className={classes.point} />
                    </Fragment>
                  )
                })}
              </g>
            ))}
          </svg>
          {scale.stops.map(({ caseId, value, words: name }, index) => (
            <span key={caseId} className={classes.x} data-lower={lower.has(index)} style={{ left: x(value) }}>
              {name}
            </span>
          ))}
        </div>
      </div>
      <p className={classes.under}>{scale.name}</p>
    </figure>
  )
}
