import { i18n } from '@expresslane/shared/base/language'
import type { StepProgress, StepStatus } from '@expresslane/shared/run/progress'
import classes from './follow.module.css'

interface StepBarProps {
  progress: readonly StepProgress[]
  index: number
  follows: boolean
  on: boolean
  look: (stepId: string | null) => void
}

const signs: Record<StepStatus, string | null> = {
  read: null,
  open: null,
  queued: /*i18n*/ 'waits',
  running: /*i18n*/ 'runs now',
  passed: /*i18n*/ 'passed',
  stale: /*i18n*/ 'out of date',
  ended: /*i18n*/ 'ended without passing',
}

const bar = `${classes.bar} row tight one-line ruled`

/** At the bottom of the screen: follow, or look around. */
export function StepBar({ progress, index, follows, on, look }: StepBarProps) {
  const stepAt = (at: number): string | null => progress[at]?.step.id ?? null
  const here = stepAt(index)
  if (follows && on) {
    return (
      <nav aria-label={i18n.t('Steps')} className={bar}>
        <p className="grow muted">{i18n.t('You follow the presenter')}</p>
        <button type="button" className={classes.button} onClick={() => look(here)}>
          {i18n.t('Look around')}
        </button>
      </nav>
    )
  }
  const move = (label: string, sign: string, to: string | null) => (
    <button type="button" className={classes.button} aria-label={label} disabled={to === null} onClick={() => look(to)}>
      {sign}
    </button>
  )
  return (
    <nav aria-label={i18n.t('Steps')} className={bar}>
      {move(i18n.t('Previous step'), '‹', stepAt(index - 1))}
      <select
        className={`${classes.input} ${classes.select} grow`}
        aria-label={i18n.t('Step')}
        value={here ?? ''}
        onChange={(event) => look(event.currentTarget.value)}
      >
        {progress.map(({ step, status }, at) => (
          <option key={step.id} value={step.id}>
            {at + 1}. {step.title}
            {signs[status] !== null && `, ${i18n.t(signs[status])}`}
          </option>
        ))}
      </select>
      {move(i18n.t('Next step'), '›', stepAt(index + 1))}
      {on && (
        <button type="button" className={`${classes.button} ${classes.primary}`} onClick={() => look(null)}>
          {i18n.t('Back to live')}
        </button>
      )}
    </nav>
  )
}
