import { i18n } from '@expresslane/shared/base/language'
import type { Lab } from '@expresslane/shared/labs/lab'
import { IconArrowRight, IconPlayerPlay } from '../../icons.tsx'
import { QueuePlace } from '../../components/run/queue-place.tsx'
import type { Lead } from '../use-lead.ts'
import classes from './stage.module.css'

/** The effect of the next key press, or the present run. */
export function NextPress({ lab, lead: { state, runner, move, talk } }: { lab: Lab; lead: Lead }) {
  const { active } = state
  if (active !== null) {
    const { progress, queue, repeats } = active
    const measuring = repeats.at(-1)
    return (
      <>
        <span>
          {queue !== null ? (
            <QueuePlace queue={queue} />
          ) : runner.cancel.isPending ? (
            i18n.t('Cancelling')
          ) : measuring === undefined ? (
            (progress?.message ?? i18n.t('Working'))
          ) : (
            i18n.t('Measuring: {repeat} of {repeats}', { repeat: measuring.repeat, repeats: measuring.repeats })
          )}
        </span>
        {progress !== null && (
          <progress
            className={classes.bar}
            value={progress.done}
            max={progress.total}
            aria-label={i18n.t('{done} of {total}', { done: progress.done, total: progress.total })}
          />
        )}
      </>
    )
  }
  if (talk.now === null) return null
  const step = move.kind === 'end' ? null : lab.steps.find(({ id }) => id === move.stepId)
  switch (move.kind) {
    case 'run': {
      const label = step?.actionLabel ?? i18n.t('Run')
      const action = move.again ? i18n.t('{action} again', { action: label }) : label
      return (
        <>
          <IconPlayerPlay aria-hidden />{' '}
          {move.solve ? i18n.t('{action}, after the steps before it', { action }) : action}
        </>
      )
    }
    case 'go':
      return (
        <>
          <IconArrowRight aria-hidden /> {step?.title}
        </>
      )
    case 'end':
      return <>{i18n.t('The end')}</>
    case 'wait':
      return null
  }
}
