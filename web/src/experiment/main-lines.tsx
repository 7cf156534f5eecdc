import { caseScale, scaleLines } from '@expresslane/shared/compare/case-scale'
import { mainMetricOf } from '@expresslane/shared/features/metrics'
import type { Result } from '@expresslane/shared/run/result'
import { useMemo } from 'react'
import { ScaleLines } from '../charts/sweep/scale-lines.tsx'

/** For projectors and phones: the main metric over the cases; nothing unless the cases differ by one number. */
export function MainLines({ result: { plan, measurements } }: { result: Result }) {
  const over = useMemo(() => caseScale(plan), [plan])
  const taken = useMemo(() => measurements.filter(({ warmup }) => !warmup), [measurements])
  const [first] = plan.cases
  if (over === null || first === undefined) return null
  const metric = mainMetricOf(first.benchmark, taken[0]?.values ?? {})
  const lines = scaleLines(plan, over, metric, taken)
  return lines.length === 0 ? null : <ScaleLines scale={over} lines={lines} metric={metric} />
}
