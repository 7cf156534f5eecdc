import { benchmarkKind, metricOf } from '@expresslane/shared/features/metrics'
import type { TestCase } from '@expresslane/shared/measure/experiment'
import type { Result } from '@expresslane/shared/run/result'
import { ArmBars } from '../charts/arms.tsx'
import { armBars } from './arms.ts'
import classes from './experiment-view.module.css'

const betterWords = { more: '', less: ', less is better', neither: '' }

interface CaseChartProps {
  result: Result
  /** Without warm-up runs. */
  taken: Result['measurements']
  of: TestCase
}

/** All arms of a case, for each of its metrics. */
export function CaseChart({ result: { plan, comparisons }, taken, of }: CaseChartProps) {
  const kind = benchmarkKind(of.benchmark, taken[0]?.values ?? {})
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
            {index > 0 && metricOf(metric).better !== 'neither' && ' (exploratory)'}
          </figcaption>
          <ArmBars metric={metric} bars={bars} />
        </figure>
      ))}
    </section>
  )
}
