import { formatNamed } from '@expresslane/shared/features/metrics'
import { formatChange } from '@expresslane/shared/base/units'
import { PublishedSwitch, RatioRow, RatioRows } from '../../../charts/ratio-rows.tsx'
import type { PublishedRunProps } from '../../views.ts'
import { connectionsBeside, publishedConnections } from './published.ts'

const { source, link, ratio } = publishedConnections

const changeOf = (of: number): string => formatChange((of - 1) * 100)

/** A published gain of netkit next to your own, on demand; it does not affect a verdict. */
export function PublishedConnections({ result }: PublishedRunProps) {
  const beside = connectionsBeside(result)
  if (beside.length === 0) return null
  return (
    <PublishedSwitch
      note={
        <>
          <p>
            {source} tried netkit and published {changeOf(ratio)} connections per second, compared with veth. It is not
            said how packets were forwarded, so both of your pairs are shown.
          </p>
          <p>
            The chart shows ratios of medians, because absolute figures from different machines can’t be compared. They
            have no interval: your arms were compared with the first one. They do not affect your verdict.
          </p>
        </>
      }
      ratios={[ratio, ...beside.flatMap(({ measured }) => measured.map((one) => one.ratio))].map((one) => ({
        ratio: one,
        interval: null,
      }))}
    >
      {(axis) =>
        beside.map(({ id, label, measured }) => (
          <RatioRows key={id} label={`${label}, published`} title={`Short connections: ${label}`}>
            {measured.map(({ name, metric, off, on, ratio: own }) => (
              <RatioRow key={name} axis={axis} ratio={own} interval={null} value={changeOf(own)} own>
                <strong>Yours</strong>
                <span>
                  {name}: {formatNamed(metric, off)} → {formatNamed(metric, on)}
                </span>
              </RatioRow>
            ))}
            <RatioRow axis={axis} ratio={ratio} interval={null} value={changeOf(ratio)}>
              <a href={link} target="_blank" rel="noreferrer">
                {source}
              </a>
              <span>veth → netkit</span>
            </RatioRow>
          </RatioRows>
        ))
      }
    </PublishedSwitch>
  )
}
