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
            'Cancelling'
          ) : measuring === undefined ? (
            (progress?.message ?? 'Working')
          ) : (
            `Measuring: ${measuring.repeat} of ${measuring.repeats}`
          )}
        </span>
        {progress !== null && (
          <progress
            className={classes.bar}
            value={progress.done}
            max={progress.total}
            aria-label={`${progress.done} of ${progress.total}`}
          />
        )}
      </>
    )
  }
  if (talk.now === null) return null
  const step = move.kind === 'end' ? null : lab.steps.find(({ id }) => id === move.stepId)
  switch (move.kind) {
    case 'run':
      return (
        <>
          <IconPlayerPlay aria-hidden /> {step?.actionLabel ?? 'Run'}
          {move.again && ' again'}
          {move.solve && ', after the steps before it'}
        </>
      )
    case 'go':
      return (
        <>
          <IconArrowRight aria-hidden /> {step?.title}
        </>
      )
    case 'end':
      return <>The end</>
    case 'wait':
      return null
  }
}
