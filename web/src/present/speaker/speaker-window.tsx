import { i18n } from '@expresslane/shared/base/language'
import type { Lab } from '@expresslane/shared/labs/lab'
import type { Session } from '@expresslane/shared/wire/protocol'
import { outcomeName } from '@expresslane/shared/run/events'
import { isOpen } from '@expresslane/shared/run/run-state'
import { propertiesOf } from '@expresslane/shared/testbed/id'
import { Button } from '../../components/controls.tsx'
import { IconArrowLeft, IconArrowRight, IconEyeOff, IconRoute } from '../../icons.tsx'
import type { ReactNode } from 'react'
import { Card } from '../../components/card.tsx'
import { ConnectionBadge } from '../../components/frame/connection-badge.tsx'
import { Markdown } from '../../components/prose/markdown.tsx'
import { toneOf } from '../slides/outcome-line.tsx'
import { PollTally } from '../slides/poll-tally.tsx'
import { NextPress } from '../stage/next-press.tsx'
import { StageTrouble } from '../stage/stage-trouble.tsx'
import { leadsTalk } from '../keys.ts'
import { useLead, useLeadKeys } from '../use-lead.ts'
import { AutopilotPanel } from './autopilot-panel.tsx'
import { PlanList } from './plan-list.tsx'
import { RehearsePanel } from './rehearse-panel.tsx'
import { RoomPanel } from './room-panel.tsx'
import classes from './speaker-window.module.css'
import { TalkClock } from './talk-clock.tsx'

interface SpeakerWindowProps {
  lab: Lab
  session: Session
  stepId: string | null
}

/** The speaker's own window: notes, the next step, the time, who follows, and everything that leads the talk. */
export function SpeakerWindow({ lab, session, stepId }: SpeakerWindowProps) {
  const lead = useLead(lab, session, stepId, false)
  const { talk, state, index, press } = lead
  useLeadKeys((key) => {
    if (!leadsTalk(key)) return false
    press(key)
    return true
  })
  const step = lab.steps[index]
  const next = lab.steps[index + 1]
  // Not before the run has ended: only then does the next press go on.
  const run = state.progress[index]?.run ?? null
  const outcome = run === null || isOpen(run) ? null : run.outcome
  const poll = talk.now?.poll ?? null
  if (step === undefined) return null
  const { now } = talk
  return (
    <div className={`${classes.window} stack wide top`}>
      <header className="row between all-columns">
        <h1>{i18n.t('Speaker: {title}', { title: lab.title })}</h1>
        <ConnectionBadge />
      </header>
      <div className={`${classes.trouble} all-columns`}>
        <StageTrouble lead={lead} stepId={step.id} />
      </div>
      <div className="stack wide">
        <Card labelledBy="speaker-step">
          <p className="muted">{i18n.t('Step {step} of {steps}', { step: index + 1, steps: lab.steps.length })}</p>
          <h2 id="speaker-step" className={classes.title}>
            {step.title}
          </h2>
          <div className={classes.notes}>
            <Notes text={step.notes} />
          </div>
          {outcome !== null && (
            <p className={classes.press}>
              <strong className={toneOf(outcome)}>{`${outcomeName(outcome)}.`}</strong> {outcome.sentence}
            </p>
          )}
          {poll !== null && <PollTally poll={poll} />}
          <div
            className={`${classes.press} ${classes.below} row tight strong`}
            role="status"
            aria-label={i18n.t('Progress')}
          >
            <NextPress lab={lab} lead={lead} />
          </div>
          <div className="row">
            <LeadButton
              icon={<IconArrowLeft size={18} aria-hidden />}
              disabled={now === null || index === 0}
              onClick={() => press('previous')}
            >
              {i18n.t('Back')}
            </LeadButton>
            <Button rightSection={<IconArrowRight size={18} aria-hidden />} onClick={() => press('advance')}>
              {now === null ? i18n.t('Begin the talk') : i18n.t('Next press')}
            </Button>
            <LeadButton
              icon={<IconEyeOff size={18} aria-hidden />}
              pressed={now?.blank ?? false}
              disabled={now === null}
              onClick={() => press('blank')}
            >
              {i18n.t('Blank')}
            </LeadButton>
            <LeadButton
              icon={<IconRoute size={18} aria-hidden />}
              pressed={now?.pathWide ?? false}
              disabled={now === null}
              onClick={() => press('path')}
            >
              {i18n.t('Path')}
            </LeadButton>
          </div>
        </Card>
        <Card labelledBy="speaker-next">
          <h2 id="speaker-next">
            {next === undefined ? i18n.t('This is the last step') : i18n.t('Next: {title}', { title: next.title })}
          </h2>
          {next !== undefined && next.notes !== null && <Markdown text={next.notes} />}
        </Card>
      </div>
      <div className="stack wide">
        {now !== null && <TalkClock lab={lab} now={now} />}
        <PlanList lab={lab} stepId={step.id} />
        {now !== null && <AutopilotPanel now={now} lead={talk.lead} />}
        {!propertiesOf(session.testbed).isRecorded && <RehearsePanel session={session} />}
        <RoomPanel followers={now?.followers ?? 0} />
        {now !== null && (
          <Button variant="default" onClick={talk.end}>
            {i18n.t('End the talk')}
          </Button>
        )}
      </div>
    </div>
  )
}

function Notes({ text }: { text: string | null }) {
  return text === null ? <p className="muted">{i18n.t('This step has no notes.')}</p> : <Markdown text={text} />
}

interface LeadButtonProps {
  icon: ReactNode
  children: string
  onClick: () => void
  /** For a switch. */
  pressed?: boolean
  disabled: boolean
}

function LeadButton({ icon, children, onClick, pressed, disabled }: LeadButtonProps) {
  return (
    <Button
      variant={pressed === true ? 'filled' : 'default'}
      leftSection={icon}
      aria-pressed={pressed}
      disabled={disabled}
      onClick={onClick}
    >
      {children}
    </Button>
  )
}
