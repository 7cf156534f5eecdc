import type { Lab } from '@expresslane/shared/labs/lab'
import type { Presentation } from '@expresslane/shared/wire/presentation'
import { Card } from '../../components/card.tsx'
import { useNow } from '../../components/run/time-left.tsx'
import { clock, timingOf } from '../timing.ts'
import classes from './speaker-window.module.css'

/** The time of the talk and of the step, and how that compares with the lab's planned minutes. */
export function TalkClock({ lab, now }: { lab: Lab; now: Presentation }) {
  const { elapsedSeconds, stepSeconds, lateSeconds, plannedSeconds } = timingOf(lab, now, useNow())
  const minutes = lab.steps.find(({ id }) => id === now.stepId)?.minutes ?? null
  const stepOver = minutes !== null && stepSeconds > minutes * 60
  return (
    <Card labelledBy="speaker-time">
      <h2 id="speaker-time">Time</h2>
      {/* A timer is silent for screen readers. */}
      <div role="timer" aria-label="Time" className="numbers">
        <p className={`${classes.talk} strong`}>
          {clock(elapsedSeconds)} <span className={`${classes.of} muted`}>of {clock(plannedSeconds)}</span>
        </p>
        <p className={lateSeconds > 0 ? 'bad strong' : ''}>
          {lateSeconds > 0
            ? `${clock(lateSeconds)} over the plan`
            : lateSeconds < 0
              ? `${clock(lateSeconds)} under the plan`
              : 'on time'}
        </p>
        <p className={stepOver ? 'bad strong' : ''}>
          This step: {clock(stepSeconds)}
          {minutes !== null && ` of ${clock(minutes * 60)}`}
        </p>
      </div>
    </Card>
  )
}
