import { i18n } from '@expresslane/shared/base/language'
import { formatNamed, metricOf } from '@expresslane/shared/features/metrics'
import type { Lab } from '@expresslane/shared/labs/lab'
import { familyName } from '@expresslane/shared/base/units'
import { medianOf, valuesOf } from '@expresslane/shared/measure/measurement'
import { measuredBefore } from '@expresslane/shared/run/progress'
import { measurementsOf, type RunState } from '@expresslane/shared/run/run-state'
import { timeChart } from '@expresslane/shared/charts/time-chart'
import { kindOfRepeat } from '@expresslane/shared/charts/time-series'
import { lookAmong } from '../../theme.ts'
import { ChartView } from '../../charts/chart-view.tsx'
import classes from './slides.module.css'

interface MeasuredSlideProps {
  lab: Lab
  run: RunState
  runs: readonly RunState[]
}

/** An arm's measurement: its live metric as the largest figure and as a line, then the medians. */
export function MeasuredSlide({ lab, run, runs }: MeasuredSlideProps) {
  const [first] = run.repeats
  if (first === undefined) return null
  const kind = kindOfRepeat(first)
  const name = lab.arms.find(({ id }) => id === first.arm)?.label ?? first.arm
  const taken = measurementsOf(run)
  const running = run.state === 'running'
  const sample = running ? (valuesOf(run.repeats.at(-1)?.samples ?? [], kind.live).at(-1) ?? null) : null
  const shown = sample ?? (taken.length > 0 ? medianOf(taken, kind.live) : null)
  const middle = medianOf(measuredBefore(lab, runs, run), kind.live)
  const [against] = lab.arms
  const reference =
    middle === null || against === undefined ? null : { name: against.label, arm: against.id, value: middle }
  const title = `${name}, ${familyName[first.family]}`
  return (
    <div className={classes.measured} data-hue={lookAmong(lab.arms, first.arm).hue}>
      <div className="row tight baseline between">
        <p className="heading strong">
          {name}, {familyName[first.family]}
        </p>
        <p className="muted numbers">
          <strong className={classes.now}>{shown === null ? '–' : metricOf(kind.live).say(shown)}</strong>{' '}
          <span>{running ? i18n.t('now') : i18n.t('median of {repeats} repeats', { repeats: taken.length })}</span>
        </p>
      </div>
      <ChartView
        fills
        of={(frame) => timeChart(run.repeats, { title, arms: lab.arms, reference, planned: true }, frame)}
      />
      <dl className={`${classes.figures} row between numbers`}>
        {kind.figures.map((metric) => (
          <div key={metric}>
            <dt>{metricOf(metric).name}</dt>
            <dd className={`${classes.figure} strong no-wrap`}>
              {taken.length === 0 ? '–' : formatNamed(metric, medianOf(taken, metric))}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
