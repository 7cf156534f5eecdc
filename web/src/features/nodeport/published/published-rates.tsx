import { formatMetric } from '@expresslane/shared/features/metrics'
import { formatChange } from '@expresslane/shared/base/units'
import { formatInterval } from '../../../words/comparison.ts'
import { PublishedSwitch, RatioRow, RatioRows } from '../../../charts/ratio-rows.tsx'
import type { PublishedRunProps } from '../../views.ts'
import { publishedForwarding, publishedRates, ratesBeside } from './published.ts'

const { source, offeredMpps } = publishedForwarding

/** Published packet rates next to your own, on demand; they do not affect a verdict. */
export function PublishedRates({ result }: PublishedRunProps) {
  const beside = ratesBeside(result)
  if (beside.length === 0) return null
  return (
    <PublishedSwitch
      note={
        <>
          <p>
            {source} published for bare metal how many of {offeredMpps} million packets per second, sent by pktgen, were
            forwarded: {publishedRates()} million per second. XDP forwarded all of them, so its limit is not known.
          </p>
          <p>
            The chart shows ratios, because absolute figures from different machines can’t be compared. They do not
            affect your verdict.
          </p>
        </>
      }
      ratios={beside.flatMap(({ own, ratio }) => [own, { ratio, interval: null }])}
    >
      {(axis) =>
        beside.map(({ key, title, own, ratio, figures, bound }) => (
          <RatioRows key={key} label={`${title}, published`} title={`Forwarded packets: ${title}`}>
            <RatioRow axis={axis} ratio={own.ratio} interval={own.interval} value={formatChange(own.changePercent)} own>
              <strong>Yours</strong>
              <span>
                {[
                  `${formatMetric(own.metric, own.off)} → ${formatMetric(own.metric, own.on)}`,
                  formatInterval(own) ?? 'no interval yet',
                ].join('; ')}
              </span>
            </RatioRow>
            <RatioRow axis={axis} ratio={ratio} interval={null} value={formatChange((ratio - 1) * 100)}>
              <strong>{source}</strong>
              <span>{[figures, ...(bound === null ? [] : [`${bound} this ratio`])].join('; ')}</span>
            </RatioRow>
          </RatioRows>
        ))
      }
    </PublishedSwitch>
  )
}
