import { i18n } from '@expresslane/shared/base/language'
import { scaleChart } from '@expresslane/shared/charts/scale-chart'
import { caseScale, scaleLines, type CaseScale } from '@expresslane/shared/compare/case-scale'
import { benchmarkKind } from '@expresslane/shared/features/metrics'
import type { Result } from '@expresslane/shared/run/result'
import { useMemo } from 'react'
import { SavedChart } from '../charts/download/download-chart.tsx'

/** Lines over the cases, for each compared metric; nothing unless the cases differ by one number. */
export function ScaleView({ result }: { result: Result }) {
  const { plan } = result
  const over = useMemo(() => caseScale(plan), [plan])
  return over === null ? null : <Lines result={result} over={over} />
}

function Lines({ result: { plan, measurements }, over }: { result: Result; over: CaseScale }) {
  const taken = useMemo(() => measurements.filter(({ warmup }) => !warmup), [measurements])
  const [first] = plan.cases
  if (first === undefined) return null
  const { compared } = benchmarkKind(first.benchmark, taken[0]?.values ?? {})
  const drawn = compared.filter((metric) => scaleLines(plan, over, metric, taken).length > 0)
  if (drawn.length === 0) return null
  return (
    <section aria-labelledby="scale" className="stack">
      <h4 id="scale" className="large">
        {over.name}
      </h4>
      {drawn.map((metric) => (
        <SavedChart
          key={metric}
          name={`lines-${metric}`}
          of={(frame) => scaleChart(plan, over, metric, taken, frame)}
        />
      ))}
      <p className="muted readable">
        {i18n.t('Points are medians. From six repeats on, a bar shows the 95 % interval of the median.')}
      </p>
    </section>
  )
}
