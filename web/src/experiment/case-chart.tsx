import { i18n } from '@expresslane/shared/base/language'
import { armBars } from '@expresslane/shared/charts/bars'
import { barsChart } from '@expresslane/shared/charts/bars-chart'
import { benchmarkKind, metricOf } from '@expresslane/shared/features/metrics'
import type { TestCase } from '@expresslane/shared/measure/experiment'
import type { Result } from '@expresslane/shared/run/result'
import { ChartView } from '../charts/chart-view.tsx'

interface CaseChartProps {
  result: Result
  /** Without warm-up runs. */
  taken: Result['measurements']
  of: TestCase
}

/** All arms of a case, for each of its metrics. */
export function CaseChart({ result: { plan, comparisons }, taken, of }: CaseChartProps) {
  const kind = benchmarkKind(of.benchmark, taken[0]?.values ?? {})
  const shown = kind.beside.flatMap((metric) => armBars(plan, of, metric, taken, comparisons) ?? [])
  if (shown.length === 0) return null
  return (
    <section aria-label={of.label} className="stack">
      <h4 className="large">
        {of.label} <span className="muted regular">{kind.name}</span>
      </h4>
      {shown.map((bars, index) => {
        const { name, better } = metricOf(bars.metric)
        const judged = better === 'less' ? i18n.t('{metric}, less is better', { metric: name }) : name
        return (
          <figure key={bars.metric}>
            <figcaption className={index === 0 ? 'medium' : 'muted'}>
              {index > 0 && better !== 'neither' ? i18n.t('{metric} (exploratory)', { metric: judged }) : judged}
            </figcaption>
            <ChartView of={(frame) => barsChart([bars], `${name}, ${of.label}`, frame)} />
          </figure>
        )
      })}
    </section>
  )
}
