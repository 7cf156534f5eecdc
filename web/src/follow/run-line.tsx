import { i18n } from '@expresslane/shared/base/language'
import { RESET_STEP } from '@expresslane/shared/run/events'
import type { Lab } from '@expresslane/shared/labs/lab'
import type { RunState } from '@expresslane/shared/run/run-state'
import { QueuePlace } from '../components/run/queue-place.tsx'
import { RunBadge } from '../components/run/run-badge.tsx'
import classes from './follow.module.css'

interface RunLineProps {
  lab: Lab
  /** The run that goes on now; null for none. */
  active: RunState | null
  /** The step on the screen. */
  stepId: string
}

function nameOf({ steps }: Lab, stepId: string): string {
  if (stepId === RESET_STEP) return i18n.t('Reset')
  const index = steps.findIndex(({ id }) => id === stepId)
  return i18n.t('Step {step}, {title}', { step: index + 1, title: steps[index]?.title ?? stepId })
}

/** The present run in a line. */
export function RunLine({ lab, active, stepId }: RunLineProps) {
  if (active === null) return <div role="status" aria-label={i18n.t('Progress')} className="hidden" />
  const { progress, repeats, queue, state } = active
  const what = progress?.message ?? (repeats.length > 0 ? i18n.t('Measuring') : i18n.t('Working'))
  const elsewhere = active.stepId === stepId ? '' : `${nameOf(lab, active.stepId)}: `
  return (
    <div role="status" aria-label={i18n.t('Progress')} className={`${classes.active} row`}>
      <RunBadge look={state === 'queued' ? 'queued' : 'running'} iconOnly />
      <span className="grow">
        {elsewhere}
        {queue === null ? what : <QueuePlace queue={queue} />}
      </span>
      {progress !== null && queue === null && (
        <progress
          className={classes.progress}
          max={progress.total}
          value={progress.done}
          aria-label={i18n.t('Done so far')}
        />
      )}
    </div>
  )
}
