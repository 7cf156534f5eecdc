import { i18n } from '@expresslane/shared/base/language'
import { Trans } from '#language'
import { roomChart } from '@expresslane/shared/charts/room-chart'
import { formatRatio } from '@expresslane/shared/compare/words'
import type { Lab } from '@expresslane/shared/labs/lab'
import { medianInterval } from '@expresslane/shared/compare/stats/median-interval'
import { metricOf } from '@expresslane/shared/features/metrics'
import { familyName, formatFixed } from '@expresslane/shared/base/units'
import { capitalized } from '@expresslane/shared/features/words'
import { ChartView } from '../../charts/chart-view.tsx'
import type { Standing } from '../standing.ts'

type Result = NonNullable<NonNullable<Standing['seat']>['result']>

interface Named {
  readonly name: string
  readonly result: Result
}

/** The results to show on one axis: results of the metric that most people have. */
function comparable(lines: readonly Standing[]): Named[] {
  const all = lines.flatMap(({ person, seat }) => {
    const result = seat?.result ?? null
    return result === null ? [] : [{ name: person.name, result }]
  })
  const groups = Map.groupBy(all, ({ result }) => `${result.metric} ${result.family}`)
  return [...groups.values()].toSorted((a, b) => b.length - a.length)[0] ?? []
}

/** Everybody's result as a dot, with the room's median and its interval. */
export function ResultsPlot({ lab, lines }: { lab: Lab; lines: readonly Standing[] }) {
  const named = comparable(lines)
  const shown = named.map(({ name, result }) => ({ name, ratio: result.ratio }))
  const room = medianInterval(shown.map(({ ratio }) => ratio))
  const first = named[0]?.result
  if (room === null || first === undefined) {
    return <p className="muted">{i18n.t('Results appear here as soon as somebody has measured both sides.')}</p>
  }
  const { median, interval } = room
  return (
    <figure className="stack">
      <figcaption className="row tight between">
        <span className="muted">
          {metricOf(first.metric).name}, {familyName[first.family]}: {sides(lab)}
        </span>
        <span className="numbers">
          <Trans
            id="Median of {count, plural, one {# result} other {# results}}: <0>{median}</0>"
            values={{ count: named.length, median: formatRatio(median) }}
            components={{ 0: <strong /> }}
          />
          {interval !== null &&
            `, ${i18n.t('{low} to {high}', { low: formatFixed(interval.low, 2), high: formatFixed(interval.high, 2) })}`}
        </span>
      </figcaption>
      <ChartView
        of={(frame) => roomChart(shown, room, `${metricOf(first.metric).name}, ${familyName[first.family]}`, frame)}
      />
      <p className="muted">
        {interval === null
          ? i18n.t('One dot per participant. The median gets an interval when there are 6 results.')
          : i18n.t('One dot per participant. The band is the confidence interval of the median: {percent} % or more.', {
              percent: Math.floor(interval.coverage * 100),
            })}
      </p>
    </figure>
  )
}

/** `BIG TCP on vs. off`: the last arm over the first. */
function sides({ arms }: Lab): string {
  const [first, last] = [arms[0]?.label ?? i18n.t('before'), arms.at(-1)?.label ?? i18n.t('after')]
  return i18n.t('{last} vs. {first}', { last: capitalized(last), first })
}
