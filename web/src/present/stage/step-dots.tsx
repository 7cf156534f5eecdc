import type { StepProgress } from '@expresslane/shared/run/progress'
import classes from './step-dots.module.css'

/** The lab's steps as a row of marks. */
export function StepDots({ progress, index }: { progress: readonly StepProgress[]; index: number }) {
  return (
    <div className={classes.steps}>
      <p>
        {index + 1} / {progress.length}
      </p>
      <div className={classes.dots} aria-hidden>
        {progress.map(({ step, status }, place) => (
          <span key={step.id} data-status={status} data-current={place === index} />
        ))}
      </div>
    </div>
  )
}
