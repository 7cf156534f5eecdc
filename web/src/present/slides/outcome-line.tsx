import type { Step } from '@expresslane/shared/labs/lab'
import { outcomeName } from '@expresslane/shared/run/events'
import type { RunState } from '@expresslane/shared/run/run-state'
import { IconCircleCheckFilled, IconCircleMinus, IconCircleX } from '@tabler/icons-react'
import { EndNotice } from '../../result/index.ts'
import classes from './slides.module.css'

/** The outcome of the step's check in a sentence; what was not as expected, and what to do about it. */
export function OutcomeLine({ run, step }: { run: RunState; step: Step }) {
  const { outcome } = run
  if (outcome === null) return <EndNotice run={run} />
  const { passed, sentence, observations, leftOut = false } = outcome
  const Icon = leftOut ? IconCircleMinus : passed ? IconCircleCheckFilled : IconCircleX
  const advice = passed ? null : (outcome.hint ?? step.hint)
  const wrong = observations.filter(({ ok }) => !ok)
  return (
    <div className={classes.outcome} data-passed={passed} data-left-out={leftOut} role="status">
      <Icon className={classes.icon} aria-hidden />
      <div>
        <p>
          <strong>{`${outcomeName(outcome)}.`}</strong> {sentence}
        </p>
        {wrong.map(({ label, expected, seen }) => (
          <p key={label}>
            {label}: {seen}
            {expected !== null && `, expected ${expected}`}
          </p>
        ))}
        {advice !== null && <p>{advice}</p>}
        {!passed && run.state !== 'completed' && <EndNotice run={run} />}
      </div>
    </div>
  )
}
