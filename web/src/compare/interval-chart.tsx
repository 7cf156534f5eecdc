import { i18n } from '@expresslane/shared/base/language'
import type { ComparedRow, Comparison } from '@expresslane/shared/compare/comparison'
import { capitalized } from '@expresslane/shared/features/words'
import { metricOf } from '@expresslane/shared/features/metrics'
import { formatChange } from '@expresslane/shared/base/units'
import { formatRatio } from '@expresslane/shared/compare/words'
import { formatInterval, verdictWord } from '../words/comparison.ts'
import { RatioRow, RatioTicks } from '../charts/ratio-rows.tsx'
import { toneOf } from './verdict-headline.tsx'
import { ratioAxis, type RatioAxis } from '@expresslane/shared/charts/draw/axis'

const betterWords = { more: /*i18n*/ 'more is better', less: /*i18n*/ 'less is better', neither: null }

/** The ratio of each row with its interval, and a line at no change. */
export function IntervalChart({ comparison }: { comparison: Comparison }) {
  const rows = comparison.rows.filter(({ interval }) => interval !== null)
  const axis = ratioAxis(rows)
  if (rows.length === 0) return null
  return (
    <figure className="container">
      <figcaption className="medium muted">
        {i18n.t('{on} vs. {off}: the ratio and its 95 % interval', {
          on: capitalized(comparison.on.name),
          off: comparison.off.name,
        })}
      </figcaption>
      <ul role="list">
        {rows.map((row) => (
          <Row key={row.metric} row={row} axis={axis} />
        ))}
      </ul>
      <RatioTicks axis={axis} />
      <p className="muted">
        {i18n.t(
          '×1 means no change. If an interval contains ×1, there may be no change. If it does not, the rank test must still confirm the change.',
        )}
      </p>
    </figure>
  )
}

function Row({ row, axis }: { row: ComparedRow; axis: RatioAxis }) {
  const { metric, ratio, interval, changePercent, verdict, better, role } = row
  const value = (
    <>
      <strong>{formatChange(changePercent)}</strong> <span>({formatInterval(row)})</span>
      <span className="hidden">
        , {formatRatio(ratio)}
        {role !== 'explains' && `, ${verdictWord(verdict)}`}
        {role === 'exploratory' && `, ${i18n.t('exploratory')}`}
      </span>
    </>
  )
  const look = role === 'verdict' ? toneOf[verdict] : 'muted'
  return (
    <RatioRow axis={axis} ratio={ratio} interval={interval} value={value} look={look} own>
      {metricOf(metric).name}
      {betterWords[better] !== null && <span>{i18n.t(betterWords[better])}</span>}
    </RatioRow>
  )
}
