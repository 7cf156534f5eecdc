import type { ExperimentPlan } from '@expresslane/shared/measure/experiment'
import type { RepeatState, RunState } from '@expresslane/shared/run/run-state'
import { formatMetric } from '@expresslane/shared/features/metrics'
import { kindOfRepeat } from '@expresslane/shared/charts/time-series'
import { formatDuration } from '../../words/format.ts'
import { armLook } from '../../theme.ts'
import classes from './experiment-progress.module.css'
import { ProgressGrid } from './progress-grid.tsx'
import { budgetOf, paceOf, presentRun, type BudgetState } from './progress.ts'
import { useNow } from '../../components/run/time-left.tsx'

function seconds(value: number): string {
  return formatDuration(Math.round(value) * 1000).replace('.0 s', ' s')
}

/** The latest sample of the current run; null before the first. */
function liveValue(repeat: RepeatState): string | null {
  const { live } = kindOfRepeat(repeat)
  const value = repeat.samples.at(-1)?.values[live] ?? null
  return value === null ? null : formatMetric(live, value)
}

/** The current run, the progress of the experiment and the remaining time. */
export function ExperimentProgress({ plan, run }: { plan: ExperimentPlan; run: RunState }) {
  const now = useNow()
  const present = presentRun(plan, run)
  const pace = paceOf(plan, run, now)
  const budget = budgetOf(plan, run)
  const place = plan.arms.findIndex(({ id }) => id === present?.repeat.arm)
  const live = present === null ? null : liveValue(present.repeat)
  return (
    <div className="stack wide">
      <div
        className={`${classes.now} row between baseline`}
        data-hue={present === null ? undefined : armLook(present.repeat.arm, place).hue}
      >
        <div>
          {present === null ? (
            <p className="key-figure">{run.progress?.message ?? 'Getting ready'}</p>
          ) : (
            <>
              <p className="key-figure">{present.arm}</p>
              <p className="large muted">
                {present.of}
                {present.repeat.warmup && ' · warm-up, not counted'}
              </p>
            </>
          )}
        </div>
        <p className={`${classes.live} strong no-wrap numbers`}>{live ?? ''}</p>
      </div>
      <div>
        <p className="row between numbers">
          <span>
            {budget === null
              ? `Measurement ${Math.min(pace.done + 1, pace.total)} of ${pace.total}`
              : `${pace.done} measurements done`}
          </span>
          <span>
            {seconds(pace.elapsedSeconds)} so far
            {pace.leftSeconds !== null && `, about ${seconds(pace.leftSeconds)} left`}
          </span>
        </p>
        {budget === null && (
          <progress value={pace.done} max={pace.total} aria-label={`${pace.done} of ${pace.total} measurements`} />
        )}
      </div>
      {budget !== null && <Budget budget={budget} elapsedSeconds={pace.elapsedSeconds} />}
      <ProgressGrid plan={plan} run={run} />
    </div>
  )
}

/** The two limits; the experiment ends at the first limit that it reaches. */
function Budget({ budget, elapsedSeconds }: { budget: BudgetState; elapsedSeconds: number }) {
  const { widthPercent, wantedPercent } = budget
  const narrow = widthPercent === null ? 0 : Math.min(100, (wantedPercent / Math.max(widthPercent, 0.01)) * 100)
  return (
    <dl className={classes.budget}>
      <div>
        <dt className="muted">Widest interval</dt>
        <dd className="strong numbers">
          {widthPercent === null ? 'not known yet' : `${widthPercent.toFixed(1)} %`}, target {wantedPercent} %
        </dd>
        <progress value={narrow} max={100} aria-label="Progress towards the target interval width" />
      </div>
      <div>
        <dt className="muted">Time budget</dt>
        <dd className="strong numbers">
          {seconds(elapsedSeconds)} of {seconds(budget.seconds)} used
        </dd>
        <progress value={elapsedSeconds} max={budget.seconds} aria-label="Used part of the time budget" />
      </div>
    </dl>
  )
}
