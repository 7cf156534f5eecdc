import { scaleChart } from '@expresslane/shared/charts/scale-chart'
import { caseScale } from '@expresslane/shared/compare/case-scale'
import { mainMetricOf } from '@expresslane/shared/features/metrics'
import type { Result } from '@expresslane/shared/run/result'
import { useMemo } from 'react'
import { ChartView } from '../charts/chart-view.tsx'

/** For projectors: the main metric over the cases; nothing unless the cases differ by one number. */
export function MainLines({ result: { plan, measurements }, fills }: { result: Result; fills: boolean }) {
  const over = useMemo(() => caseScale(plan), [plan])
  const taken = useMemo(() => measurements.filter(({ warmup }) => !warmup), [measurements])
  const [first] = plan.cases
  if (over === null || first === undefined) return null
  const metric = mainMetricOf(first.benchmark, taken[0]?.values ?? {})
  return <ChartView fills={fills} of={(frame) => scaleChart(plan, over, metric, taken, frame)} />
}
