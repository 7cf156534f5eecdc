import { i18n } from '@expresslane/shared/base/language'
import { formatMetric, formatNamed, metricOf } from '@expresslane/shared/features/metrics'
import type { Lab } from '@expresslane/shared/labs/lab'
import { medianOf, valuesOf } from '@expresslane/shared/measure/measurement'
import { familyName } from '@expresslane/shared/base/units'
import { measuredBefore } from '@expresslane/shared/run/progress'
import { measurementsOf, type RunState } from '@expresslane/shared/run/run-state'
import { armLabel } from '@expresslane/shared/run/sides'
import { lazy } from 'react'
import { timeChart } from '@expresslane/shared/charts/time-chart'
import { kindOfRepeat } from '@expresslane/shared/charts/time-series'
import { ChartView } from '../charts/chart-view.tsx'
import { OnDemand } from '../components/on-demand.tsx'
import { Figures } from '../result/index.ts'
import { lookAmong } from '../theme.ts'
import classes from './follow.module.css'

const EstimateLine = lazy(async () => ({ default: (await import('./estimate.tsx')).EstimateLine }))

interface MeasureViewProps {
  run: RunState
  lab: Lab
  runs: readonly RunState[]
}

/** A running or ended measurement: its live metric and the medians. */
export function MeasureView({ run, lab, runs }: MeasureViewProps) {
  const first = run.repeats[0]
  if (first === undefined) return null
  const kind = kindOfRepeat(first)
  const taken = measurementsOf(run)
  const before = measuredBefore(lab, runs, run)
  const live = valuesOf(run.repeats.at(-1)?.samples ?? [], kind.live)
  const now = run.state === 'running' ? (live.at(-1) ?? null) : null
  const figures = kind.figures.map(
    (metric) =>
      [metricOf(metric).name, taken.length === 0 ? null : formatNamed(metric, medianOf(taken, metric))] as const,
  )
  const middle = medianOf(before, kind.live)
  const [against] = lab.arms
  const reference =
    middle === null || against === undefined ? null : { name: against.label, arm: against.id, value: middle }
  const title = `${armLabel(run, first.arm, lab.arms)}, ${familyName[first.family]}: ${kind.caption}`
  return (
    <section aria-labelledby="measured" className="stack container" data-hue={lookAmong(lab.arms, first.arm).hue}>
      <h3 id="measured" className="large">
        {title}
      </h3>
      {now !== null && <p className={`${classes.now} strong numbers`}>{formatMetric(kind.live, now)}</p>}
      <ChartView of={(frame) => timeChart(run.repeats, { title, arms: lab.arms, reference, planned: true }, frame)} />
      {before.length > 0 && (
        <OnDemand>
          <EstimateLine before={before} taken={taken} live={live} kind={kind} planned={first.repeats} />
        </OnDemand>
      )}
      <Figures
        figures={figures}
        note={
          taken.length === 0
            ? i18n.t('Results appear after each of the {repeats} repeats.', { repeats: first.repeats })
            : i18n.t('Median of {taken} of {repeats} repeats.', { taken: taken.length, repeats: first.repeats })
        }
      />
    </section>
  )
}
