import { i18n } from '@expresslane/shared/base/language'
import { formatFixed } from '@expresslane/shared/base/units'
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
  return formatDuration(Math.round(value) * 1000).replace(/[.,]0 s/, ' s')
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
  const elapsed = seconds(pace.elapsedSeconds)
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
            <p className="key-figure">{run.progress?.message ?? i18n.t('Getting ready')}</p>
          ) : (
            <>
              <p className="key-figure">{present.arm}</p>
              <p className="large muted">
                {present.repeat.warmup
                  ? i18n.t('{benchmark} · warm-up, not counted', { benchmark: present.of })
                  : present.of}
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
              ? i18n.t('Measurement {number} of {total}', {
                  number: Math.min(pace.done + 1, pace.total),
                  total: pace.total,
                })
              : i18n.t('{done} measurements done', { done: pace.done })}
          </span>
          <span>
            {pace.leftSeconds === null
              ? i18n.t('{elapsed} so far', { elapsed })
              : i18n.t('{elapsed} so far, about {left} left', { elapsed, left: seconds(pace.leftSeconds) })}
          </span>
        </p>
        {budget === null && (
          <progress
            value={pace.done}
            max={pace.total}
            aria-label={i18n.t('{done} of {total} measurements', { done: pace.done, total: pace.total })}
          />
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
        <dt className="muted">{i18n.t('Widest interval')}</dt>
        <dd className="strong numbers">
          {i18n.t('{width}, target {target} %', {
            width: widthPercent === null ? i18n.t('not known yet') : `${formatFixed(widthPercent, 1)} %`,
            target: wantedPercent,
          })}
        </dd>
        <progress value={narrow} max={100} aria-label={i18n.t('Progress towards the target interval width')} />
      </div>
      <div>
        <dt className="muted">{i18n.t('Time budget')}</dt>
        <dd className="strong numbers">
          {i18n.t('{elapsed} of {total} used', { elapsed: seconds(elapsedSeconds), total: seconds(budget.seconds) })}
        </dd>
        <progress value={elapsedSeconds} max={budget.seconds} aria-label={i18n.t('Used part of the time budget')} />
      </div>
    </dl>
  )
}
