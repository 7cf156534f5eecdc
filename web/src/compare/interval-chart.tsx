import type { ComparedRow, Comparison } from '@expresslane/shared/compare/comparison'
import { useMemo } from 'react'
import { capitalized } from '@expresslane/shared/features/words'
import { metricOf } from '@expresslane/shared/features/metrics'
import { formatChange } from '@expresslane/shared/base/units'
import { formatRatio } from '@expresslane/shared/compare/words'
import { formatInterval, verdictWord } from '../words/comparison.ts'
import classes from './interval-chart.module.css'
import { toneOf } from './verdict-headline.tsx'
import { ratioAxis, ratioTick, type RatioAxis } from '@expresslane/shared/charts/draw/axis'

const betterWords = { more: 'more is better', less: 'less is better', neither: null }

/** The ratio of each row with its interval, and a line at no change. */
export function IntervalChart({ comparison }: { comparison: Comparison }) {
  const rows = comparison.rows.filter(({ interval }) => interval !== null)
  const axis = useMemo(() => ratioAxis(comparison.rows.filter(({ interval }) => interval !== null)), [comparison])
  if (rows.length === 0) return null
  return (
    <figure className="container">
      <figcaption className="medium muted">
        {capitalized(comparison.on.name)} vs. {comparison.off.name}: the ratio and its 95 % interval
      </figcaption>
      <ul role="list">
        {rows.map((row) => (
          <Row key={row.metric} row={row} axis={axis} />
        ))}
      </ul>
      <svg className={classes.axis} width="100%" height="28" aria-hidden>
        {axis.ticks.map((tick) => (
          <text key={tick} x={`${axis.place(tick)}%`} y="20" textAnchor="middle" data-one={tick === 1}>
            {ratioTick(tick)}
          </text>
        ))}
      </svg>
      <p className="muted">
        ×1 means no change. If an interval contains ×1, there may be no change. If it does not, the rank test must still
        confirm the change.
      </p>
    </figure>
  )
}

function Row({ row, axis }: { row: ComparedRow; axis: RatioAxis }) {
  const { metric, ratio, interval, changePercent, verdict, better, role } = row
  const [from, to] = [interval?.low ?? ratio, interval?.high ?? ratio].map((end) => `${axis.place(end)}%`)
  return (
    <li className={`${classes.row} ruled`}>
      <p className={classes.name}>
        {metricOf(metric).name}
        {betterWords[better] !== null && <span className="block muted">{betterWords[better]}</span>}
      </p>
      <p className={`${classes.value} right no-wrap numbers`}>
        <strong>{formatChange(changePercent)}</strong> <span>({formatInterval(row)})</span>
        <span className="hidden">
          , {formatRatio(ratio)}
          {role !== 'explains' && `, ${verdictWord[verdict]}${role === 'exploratory' ? ', exploratory' : ''}`}
        </span>
      </p>
      <div className={`${classes.plot} ${role === 'verdict' ? toneOf[verdict] : 'muted'}`}>
        <svg width="100%" height="100%" aria-hidden>
          {axis.ticks.map((tick) => (
            <line
              key={tick}
              className={tick === 1 ? classes.one : classes.grid}
              x1={`${axis.place(tick)}%`}
              x2={`${axis.place(tick)}%`}
              y1="0"
              y2="100%"
            />
          ))}
          <svg y="50%" overflow="visible">
            <line className={classes.interval} x1={from} x2={to} y1="0" y2="0" />
            <line className={classes.interval} x1={from} x2={from} y1="-6" y2="6" />
            <line className={classes.interval} x1={to} x2={to} y1="-6" y2="6" />
            <circle className={classes.ratio} cx={`${axis.place(ratio)}%`} cy="0" r="6" />
          </svg>
        </svg>
      </div>
    </li>
  )
}
