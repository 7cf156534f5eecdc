import { caseScale, scaleLines, type CaseScale } from '@expresslane/shared/compare/case-scale'
import { benchmarkKind } from '@expresslane/shared/features/metrics'
import { scaleChart } from '@expresslane/shared/report/charts/scale-chart'
import type { Result } from '@expresslane/shared/run/result'
import { useMemo } from 'react'
import { DownloadChart } from '../charts/download/download-chart.tsx'
import { ScaleLines } from '../charts/sweep/scale-lines.tsx'
import classes from './experiment-view.module.css'

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
  const drawn = benchmarkKind(first.benchmark, taken[0]?.values ?? {}).compared.flatMap((metric) => {
    const lines = scaleLines(plan, over, metric, taken)
    return lines.length === 0 ? [] : [{ metric, lines }]
  })
  const [main] = drawn
  if (main === undefined) return null
  return (
    <section aria-labelledby="scale" className={classes.case}>
      <h4 id="scale" className={classes.heading}>
        {over.name}
      </h4>
      {drawn.map(({ metric, lines }) => (
        <ScaleLines key={metric} scale={over} lines={lines} metric={metric} />
      ))}
      <p className={classes.note}>
        Points are medians. From six repeats on, a bar shows the 95 % interval of the median.
      </p>
      <DownloadChart
        name="lines"
        draw={(palette) => scaleChart(plan, over, main.metric, taken, `${over.name}: each arm`, palette)}
      />
    </section>
  )
}
