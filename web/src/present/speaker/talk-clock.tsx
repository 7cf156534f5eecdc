import type { Lab } from '@expresslane/shared/labs/lab'
import type { Presentation } from '@expresslane/shared/wire/presentation'
import { Card } from '../../components/card.tsx'
import { useNow } from '../../components/run/use-now.ts'
import { clock, timingOf } from '../timing.ts'
import classes from './talk-clock.module.css'

/** The time of the talk and of the step, and how that compares with the lab's planned minutes. */
export function TalkClock({ lab, now }: { lab: Lab; now: Presentation }) {
  const { elapsedSeconds, stepSeconds, lateSeconds, plannedSeconds } = timingOf(lab, now, useNow())
  const minutes = lab.steps.find(({ id }) => id === now.stepId)?.minutes ?? null
  const stepOver = minutes !== null && stepSeconds > minutes * 60
  return (
    <Card labelledBy="speaker-time">
      <h2 id="speaker-time">Time</h2>
      {/* A timer is silent for screen readers. */}
      <div role="timer" aria-label="Time" className={classes.clock}>
        <p className={classes.talk}>
          {clock(elapsedSeconds)} <span className={classes.of}>of {clock(plannedSeconds)}</span>
        </p>
        <p className={classes.plan} data-late={lateSeconds > 0}>
          {lateSeconds > 0
            ? `${clock(lateSeconds)} over the plan`
            : lateSeconds < 0
              ? `${clock(lateSeconds)} under the plan`
              : 'on time'}
        </p>
        <p className={classes.plan} data-late={stepOver}>
          This step: {clock(stepSeconds)}
          {minutes !== null && ` of ${clock(minutes * 60)}`}
        </p>
      </div>
    </Card>
  )
}
