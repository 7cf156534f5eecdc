import type { StepProgress, StepStatus } from '@expresslane/shared/run/progress'
import classes from './follow.module.css'

interface StepBarProps {
  progress: readonly StepProgress[]
  index: number
  follows: boolean
  on: boolean
  look: (stepId: string | null) => void
}

const signs: Record<StepStatus, string> = {
  read: '',
  open: '',
  queued: ', waits',
  running: ', runs now',
  passed: ', passed',
  stale: ', out of date',
  ended: ', ended without passing',
}

const bar = `${classes.bar} row tight one-line ruled`

/** At the bottom of the screen: follow, or look around. */
export function StepBar({ progress, index, follows, on, look }: StepBarProps) {
  const stepAt = (at: number): string | null => progress[at]?.step.id ?? null
  const here = stepAt(index)
  if (follows && on) {
    return (
      <nav aria-label="Steps" className={bar}>
        <p className="grow muted">You follow the presenter</p>
        <button type="button" className={classes.button} onClick={() => look(here)}>
          Look around
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
    <nav aria-label="Steps" className={bar}>
      {move('Previous step', '‹', stepAt(index - 1))}
      <select
        className={`${classes.input} ${classes.select} grow`}
        aria-label="Step"
        value={here ?? ''}
        onChange={(event) => look(event.currentTarget.value)}
      >
        {progress.map(({ step, status }, at) => (
          <option key={step.id} value={step.id}>
            {at + 1}. {step.title}
            {signs[status]}
          </option>
        ))}
      </select>
      {move('Next step', '›', stepAt(index + 1))}
      {on && (
        <button type="button" className={`${classes.button} ${classes.primary}`} onClick={() => look(null)}>
          Back to live
        </button>
      )}
    </nav>
  )
}
