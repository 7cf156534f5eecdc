import { chartsOf, formatMetric, metricOf } from '@expresslane/shared/features/metrics'
import { publishedBeside, type PublishedFigure, type PublishedResult } from './published.ts'
import { familyName, formatChange } from '@expresslane/shared/measure/units'
import { Switch } from '@mantine/core'
import { useId, useState, type ReactNode } from 'react'
import { formatInterval } from '../../../words/comparison.ts'

import { ratioAxis, type RatioAxis } from '@expresslane/shared/compare/ratio-axis'
import type { PublishedProps } from '../../views.ts'
import classes from './published-results.module.css'

/** Published results next to your own, on demand; they do not affect a verdict. */
export function PublishedResults({ comparison, family }: PublishedProps) {
  const [shown, setShown] = useState(false)
  const id = useId()
  const metrics = comparison.rows.map(({ metric }) => metric)
  // Only the metrics in the charts: for requests and responses, throughput is just TPS in another unit.
  const asked = chartsOf(comparison.tool, metrics).flat()
  const beside = publishedBeside(asked, family)
  if (beside.length === 0) return null
  const own = comparison.rows.filter(({ metric }) => beside.some(({ figure }) => figure.metric === metric))
  const axis = ratioAxis([...own, ...beside.map(({ figure: { ratio } }) => ({ ratio, interval: null }))])
  return (
    <div className={classes.published}>
      <Switch
        size="md"
        label="Show published results from other machines"
        checked={shown}
        aria-controls={id}
        onChange={(event) => setShown(event.currentTarget.checked)}
      />
      <div id={id} hidden={!shown}>
        <p className={classes.note}>
          These results were measured and published by others. The chart shows ratios, because absolute figures from
          different machines can’t be compared. They do not affect your verdict.
        </p>
        {own.map((row) => (
          <section key={row.metric} aria-label={`${metricOf(row.metric).name}, published`}>
            <h4 className={classes.metric}>{metricOf(row.metric).name}</h4>
            <ul role="list" className={classes.rows}>
              <Line axis={axis} ratio={row.ratio} interval={row.interval} value={formatChange(row.changePercent)} own>
                <strong>Yours</strong>
                <span>{formatInterval(row) ?? 'no interval yet'}</span>
              </Line>
              {beside
                .filter(({ figure }) => figure.metric === row.metric)
                .map(({ result, figure }) => (
                  <Other key={result.id} result={result} figure={figure} axis={axis} />
                ))}
            </ul>
          </section>
        ))}
        <svg className={classes.axis} width="100%" height="28" aria-hidden>
          {axis.ticks.map((tick) => (
            <text key={tick} x={`${axis.place(tick)}%`} y="20" textAnchor="middle">
              {`×${Number(tick.toFixed(2))}`}
            </text>
          ))}
        </svg>
      </div>
    </div>
  )
}

interface OtherProps {
  result: PublishedResult
  figure: PublishedFigure
  axis: RatioAxis
}

function Other({ result: { source, setup, link, family, runs }, figure, axis }: OtherProps) {
  const { metric, off, on, ratio } = figure
  const over = family === null ? source : `${source}, ${familyName[family]}`
  const figures = off === null || on === null ? null : `${formatMetric(metric, off)} → ${formatMetric(metric, on)}`
  const times = runs === 1 ? 'one run per side' : null
  return (
    <Line axis={axis} ratio={ratio} interval={null} value={formatChange((ratio - 1) * 100)}>
      {link === null ? (
        <strong>{over}</strong>
      ) : (
        <a href={link} target="_blank" rel="noreferrer">
          {over}
        </a>
      )}
      <span>{[figures, setup, times].filter((part) => part !== null).join('; ')}</span>
    </Line>
  )
}

interface LineProps {
  axis: RatioAxis
  ratio: number
  interval: { readonly low: number; readonly high: number } | null
  value: string
  own?: boolean
  children: ReactNode
}

/** One ratio on the common axis: a filled mark for your own result, a hollow one for a published result. */
function Line({ axis, ratio, interval, value, own = false, children }: LineProps) {
  const at = (of: number): string => `${axis.place(of)}%`
  return (
    <li className={classes.row} data-own={own}>
      <p className={classes.who}>{children}</p>
      <svg className={classes.plot} width="100%" height="26" aria-hidden>
        <line className={classes.one} x1={at(1)} x2={at(1)} y1="0" y2="26" />
        {interval !== null && (
          <line className={classes.interval} x1={at(interval.low)} x2={at(interval.high)} y1="13" y2="13" />
        )}
        <circle className={classes.ratio} cx={at(ratio)} cy="13" r="6" />
      </svg>
      <p className={classes.value}>{value}</p>
    </li>
  )
}
