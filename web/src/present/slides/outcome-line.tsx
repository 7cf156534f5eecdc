import { i18n } from '@expresslane/shared/base/language'
import type { Step } from '@expresslane/shared/labs/lab'
import { outcomeName, type Outcome } from '@expresslane/shared/run/events'
import type { RunState } from '@expresslane/shared/run/run-state'
import { IconCircleCheckFilled, IconCircleMinus, IconCircleX } from '../../icons.tsx'
import { EndNotice } from '../../result/index.ts'
import classes from './slides.module.css'

/** The colour of an outcome's name. */
export const toneOf = ({ passed, leftOut }: Outcome): string => (leftOut ? 'muted' : passed ? 'good' : 'bad')

/** The outcome of the step's check in a sentence; unexpected values, and their remedy. */
export function OutcomeLine({ run, step }: { run: RunState; step: Step }) {
  const { outcome } = run
  if (outcome === null) return <EndNotice run={run} />
  const { passed, sentence, observations, leftOut = false } = outcome
  const Icon = leftOut ? IconCircleMinus : passed ? IconCircleCheckFilled : IconCircleX
  const advice = passed ? null : (outcome.hint ?? step.hint)
  const wrong = observations.filter(({ ok }) => !ok)
  return (
    <div className={`${classes.outcome} row top one-line`} role="status">
      <Icon className={`${classes.icon} ${toneOf(outcome)}`} aria-hidden />
      <div>
        <p>
          <strong className={toneOf(outcome)}>{`${outcomeName(outcome)}.`}</strong> {sentence}
        </p>
        {wrong.map(({ label, expected, seen }) => (
          <p key={label}>
            {expected === null
              ? `${label}: ${seen}`
              : i18n.t('{label}: {seen}, expected {expected}', { label, seen, expected })}
          </p>
        ))}
        {advice !== null && <p>{advice}</p>}
        {!passed && run.state !== 'completed' && <EndNotice run={run} />}
      </div>
    </div>
  )
}
