import { toolName } from '@expresslane/shared/measure/benchmark'
import type { ExperimentPlan, TestCase } from '@expresslane/shared/measure/experiment'
import { measurementsOf, type RunState } from '@expresslane/shared/run/run-state'
import { useMemo } from 'react'
import { ArmBars } from '../charts/arms.tsx'
import { metricName } from '@expresslane/shared/report/words'
import { armsChart } from '@expresslane/shared/report/arms-chart'
import { DownloadChart } from '../charts/download/download-chart.tsx'
import { armBars, metricsOf } from './arms.ts'
import classes from './experiment-view.module.css'

/** A block a case: all arms in one chart for each of its metrics. */
export function ArmCharts({ plan, run }: { plan: ExperimentPlan; run: RunState }) {
  if (measurementsOf(run).length === 0) return null
  return (
    <>
      {plan.cases.map((one) => (
        <CaseChart key={one.id} plan={plan} run={run} of={one} />
      ))}
      <DownloadChart
        name="arms"
        draw={(palette) => armsChart(plan, measurementsOf(run), 'Arms beside each other', palette)}
      />
      <p className={classes.note}>
        Bars are medians, each dot is one run, the bracket is the 95 % interval of the difference from “
        {plan.arms[0]?.label}”.
      </p>
    </>
  )
}

/** Lower is better there. */
const less: ReadonlySet<string> = new Set(['p50', 'p99', 'cpuSecondsPerGigabit'])

function CaseChart({ plan, run, of }: { plan: ExperimentPlan; run: RunState; of: TestCase }) {
  const taken = useMemo(() => measurementsOf(run), [run])
  const [main, ...others] = metricsOf(of).flatMap((metric) => {
    const bars = armBars(plan, of, metric, taken, run.comparisons)
    return bars.length === 0 ? [] : [{ metric, bars }]
  })
  if (main === undefined) return null
  return (
    <section aria-label={of.label} className={classes.case}>
      <h4 className={classes.heading}>
        {of.label} <span className={classes.tool}>{toolName[of.benchmark.tool]}</span>
      </h4>
      {[main, ...others].map(({ metric, bars }, index) => (
        <figure key={metric} data-main={index === 0}>
          <figcaption className={classes.metric}>
            {metricName[metric]}
            {less.has(metric) && ', less is better'}
          </figcaption>
          <ArmBars metric={metric} bars={bars} />
        </figure>
      ))}
    </section>
  )
}
