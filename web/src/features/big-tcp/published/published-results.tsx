import type { RatioAxis } from '@expresslane/shared/charts/draw/axis'
import { chartsOf, formatMetric, metricOf } from '@expresslane/shared/features/metrics'
import { familyName, formatChange } from '@expresslane/shared/base/units'
import { formatInterval } from '../../../words/comparison.ts'
import { PublishedSwitch, RatioRow, RatioRows } from '../../../charts/ratio-rows.tsx'
import type { PublishedProps } from '../../views.ts'
import { publishedBeside, type PublishedFigure, type PublishedResult } from './published.ts'

/** Published results next to your own, on demand; they do not affect a verdict. */
export function PublishedResults({ comparison, family }: PublishedProps) {
  const metrics = comparison.rows.map(({ metric }) => metric)
  // Only the metrics in the charts: for requests and responses, throughput is just TPS in another unit.
  const asked = chartsOf(comparison.tool, metrics).flat()
  const beside = publishedBeside(asked, family)
  if (beside.length === 0) return null
  const own = comparison.rows.filter(({ metric }) => beside.some(({ figure }) => figure.metric === metric))
  return (
    <PublishedSwitch
      note={
        <p>
          These results were measured and published by others. The chart shows ratios, because absolute figures from
          different machines can’t be compared. They do not affect your verdict.
        </p>
      }
      ratios={[...own, ...beside.map(({ figure: { ratio } }) => ({ ratio, interval: null }))]}
    >
      {(axis) =>
        own.map((row) => (
          <RatioRows
            key={row.metric}
            label={`${metricOf(row.metric).name}, published`}
            title={metricOf(row.metric).name}
          >
            <RatioRow axis={axis} ratio={row.ratio} interval={row.interval} value={formatChange(row.changePercent)} own>
              <strong>Yours</strong>
              <span>{formatInterval(row) ?? 'no interval yet'}</span>
            </RatioRow>
            {beside
              .filter(({ figure }) => figure.metric === row.metric)
              .map(({ result, figure }) => (
                <Other key={result.id} result={result} figure={figure} axis={axis} />
              ))}
          </RatioRows>
        ))
      }
    </PublishedSwitch>
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
    <RatioRow axis={axis} ratio={ratio} interval={null} value={formatChange((ratio - 1) * 100)}>
      {link === null ? (
        <strong>{over}</strong>
      ) : (
        <a href={link} target="_blank" rel="noreferrer">
          {over}
        </a>
      )}
      <span>{[figures, setup, times].filter((part) => part !== null).join('; ')}</span>
    </RatioRow>
  )
}
