import { i18n } from '@expresslane/shared/base/language'
import { Trans } from '#language'
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
      <h2 id="speaker-time">{i18n.t('Time')}</h2>
      {/* A timer is silent for screen readers. */}
      <div role="timer" aria-label={i18n.t('Time')} className="numbers">
        <p className={`${classes.talk} strong`}>
          <Trans
            id="{time} <0>of {planned}</0>"
            values={{ time: clock(elapsedSeconds), planned: clock(plannedSeconds) }}
            components={{ 0: <span className={`${classes.of} muted`} /> }}
          />
        </p>
        <p className={lateSeconds > 0 ? 'bad strong' : ''}>
          {lateSeconds > 0
            ? i18n.t('{time} over the plan', { time: clock(lateSeconds) })
            : lateSeconds < 0
              ? i18n.t('{time} under the plan', { time: clock(lateSeconds) })
              : i18n.t('on time')}
        </p>
        <p className={stepOver ? 'bad strong' : ''}>
          {minutes === null
            ? i18n.t('This step: {time}', { time: clock(stepSeconds) })
            : i18n.t('This step: {time} of {planned}', { time: clock(stepSeconds), planned: clock(minutes * 60) })}
        </p>
      </div>
    </Card>
  )
}
