import { benchmarkKind, metricOf } from '@expresslane/shared/features/metrics'
import type { TestCase } from '@expresslane/shared/measure/experiment'
import type { Result } from '@expresslane/shared/run/result'
import { useMemo } from 'react'
import { ArmBars } from '../charts/arms.tsx'
import { armsChart } from '@expresslane/shared/report/charts/arms-chart'
import { DownloadChart } from '../charts/download/download-chart.tsx'
import { armBars } from './arms.ts'
import classes from './experiment-view.module.css'

/** One block per case: a chart with all arms for each metric. */
export function ArmCharts({ result }: { result: Result }) {
  const { plan, measurements } = result
  const taken = useMemo(() => measurements.filter(({ warmup }) => !warmup), [measurements])
  if (taken.length === 0) return null
  return (
    <>
      {plan.cases.map((one) => (
        <CaseChart key={one.id} result={result} taken={taken} of={one} />
      ))}
      <DownloadChart name="arms" draw={(palette) => armsChart(plan, taken, 'All arms', palette)} />
      <p className={classes.note}>
        Bars show medians, dots show single repeats, and brackets show the 95 % interval of the difference from “
        {plan.arms[0]?.label}”.
      </p>
    </>
  )
}

const betterWords = { more: '', less: ', less is better', neither: '' }

interface CaseChartProps {
  result: Result
  /** Without warm-up runs. */
  taken: Result['measurements']
  of: TestCase
}

function CaseChart({ result: { plan, comparisons }, taken, of }: CaseChartProps) {
  const kind = benchmarkKind(of.benchmark, taken[0]?.values)
  const [main, ...others] = kind.beside.flatMap((metric) => {
    const bars = armBars(plan, of, metric, taken, comparisons)
    return bars.length === 0 ? [] : [{ metric, bars }]
  })
  if (main === undefined) return null
  return (
    <section aria-label={of.label} className={classes.case}>
      <h4 className={classes.heading}>
        {of.label} <span className={classes.tool}>{kind.name}</span>
      </h4>
      {[main, ...others].map(({ metric, bars }, index) => (
        <figure key={metric} data-main={index === 0}>
          <figcaption className={classes.metric}>
            {metricOf(metric).name}
            {betterWords[metricOf(metric).better]}
          </figcaption>
          <ArmBars metric={metric} bars={bars} />
        </figure>
      ))}
    </section>
  )
}
