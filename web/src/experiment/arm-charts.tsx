import { i18n } from '@expresslane/shared/base/language'
import { mainBars } from '@expresslane/shared/charts/bars'
import { barsChart } from '@expresslane/shared/charts/bars-chart'
import type { Result } from '@expresslane/shared/run/result'
import { useMemo } from 'react'
import { DownloadChart } from '../charts/download/download-chart.tsx'
import { CaseChart } from './case-chart.tsx'

/** A block per case: a chart with all arms for each metric. */
export function ArmCharts({ result }: { result: Result }) {
  const { plan, measurements, comparisons } = result
  const taken = useMemo(() => measurements.filter(({ warmup }) => !warmup), [measurements])
  if (taken.length === 0) return null
  const mains = mainBars(plan, taken, comparisons)
  return (
    <>
      {plan.cases.map((one) => (
        <CaseChart key={one.id} result={result} taken={taken} of={one} />
      ))}
      <DownloadChart name="arms" draw={(frame) => barsChart(mains, i18n.t('All arms'), frame)} />
      <p className="muted readable">
        {i18n.t(
          'Bars show medians, dots show single repeats, and brackets show the 95 % interval of the difference from “{label}”.',
          { label: plan.arms[0]?.label },
        )}
      </p>
    </>
  )
}
