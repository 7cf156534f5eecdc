import { i18n } from '@expresslane/shared/base/language'
import type { Lab } from '@expresslane/shared/labs/lab'
import type { Session, TestbedView } from '@expresslane/shared/wire/protocol'
import { propertiesOf } from '@expresslane/shared/testbed/id'
import { hasStarted } from '@expresslane/shared/run/run-state'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { OnDemand } from '../../components/on-demand.tsx'
import { StepDots } from '../../session/index.ts'
import { TerminalDock, useTerminalsShown } from '../../terminal/index.ts'
import { leadsTalk, type LeadKey } from '../keys.ts'
import { useLead, useLeadKeys } from '../use-lead.ts'
import { KeyList } from './key-list.tsx'
import { Links } from './links.tsx'
import { Slide } from './slide.tsx'
import { StageStatus } from './stage-status.tsx'
import { StageTrouble } from './stage-trouble.tsx'
import classes from './stage.module.css'

interface StageProps {
  lab: Lab
  session: Session
  testbed: TestbedView | null
  stepId: string | null
}

/** The part of the slide's height that one key press scrolls. */
const SCROLLED = 0.6

/** The presenter's view: one step at a time for a room, led by keys alone. */
export function Stage({ lab, session, testbed, stepId }: StageProps) {
  const lead = useLead(lab, session, stepId, true)
  const { talk, state, index, press } = lead
  const navigate = useNavigate()
  const [overlay, setOverlay] = useState<'keys' | 'links' | null>(null)
  const [wantsTerminals, toggleTerminals] = useTerminalsShown()
  const hasTerminals = wantsTerminals && !propertiesOf(session.testbed).isRecorded
  const [textOf, setTextOf] = useState<string | null>(null)
  const base = `/labs/${lab.id}/sessions/${session.id}`
  const current = state.progress[index]
  const run = current?.run ?? null
  // A new run of the step shows its result again.
  const shown = `${current?.step.id} ${run?.id}`
  const showsResult = run !== null && hasStarted(run) && textOf !== shown

  const body = useRef<HTMLDivElement>(null)
  const scroll = (direction: 1 | -1): void => {
    const { current: box } = body
    box?.scrollBy({ top: direction * SCROLLED * box.clientHeight })
  }

  const onKey = (key: LeadKey): void => {
    if (overlay !== null) {
      setOverlay(null)
      if (key !== 'advance' && key !== 'previous') return
    }
    if (leadsTalk(key)) return press(key)
    switch (key) {
      case 'text':
        return setTextOf(textOf === shown ? null : shown)
      case 'keys':
      case 'links':
        return setOverlay(key)
      case 'terminals':
        return toggleTerminals()
      case 'speaker':
        return openSpeakerWindow(base)
      case 'screen':
        return toggleWholeScreen()
      case 'down':
      case 'up':
        return scroll(key === 'down' ? 1 : -1)
      case 'leave':
        return void navigate(`${base}/${current?.step.id ?? ''}`)
    }
  }
  useLeadKeys((key) => {
    onKey(key)
    return true
  })

  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [index])

  if (current === undefined) return null
  const { step } = current
  if (talk.now?.blank === true) return <BlankScreen />
  return (
    <article
      className={classes.stage}
      data-stage
      data-terminals={hasTerminals || undefined}
      aria-labelledby="stage-title"
    >
      <header className={`${classes.head} row one-line between`}>
        <h1 className="hidden">{lab.title}</h1>
        <h2 id="stage-title" ref={heading} tabIndex={-1} className={classes.title}>
          {step.title}
        </h2>
        <p className={`${classes.head} ${classes.dots} row one-line fixed muted numbers no-wrap`}>
          {index + 1} / {state.progress.length} <StepDots progress={state.progress} index={index} />
        </p>
      </header>
      <div
        ref={body}
        className={classes.body}
        role="region"
        aria-label={i18n.t('Slide')}
        tabIndex={0}
        key={`${step.id} ${showsResult}`}
      >
        <StageTrouble lead={lead} stepId={step.id} />
        <Slide
          lab={lab}
          step={step}
          result={showsResult ? run : null}
          state={state}
          now={talk.now}
          testbed={session.testbed}
          problem={testbed?.problem ?? null}
        />
      </div>
      {hasTerminals && (
        <OnDemand>
          <TerminalDock testbed={session.testbed} onClose={toggleTerminals} />
        </OnDemand>
      )}
      <StageStatus lab={lab} lead={lead} testbed={session.testbed} />
      {overlay === 'keys' && <KeyList onClose={() => setOverlay(null)} />}
      {overlay === 'links' && <Links onClose={() => setOverlay(null)} />}
    </article>
  )
}

function BlankScreen() {
  return (
    <article className={classes.blank} data-stage aria-label={i18n.t('Presentation')}>
      <h1 className="hidden">{i18n.t('The screen is blank. Press the full stop to show it again.')}</h1>
    </article>
  )
}

/** Shows the page on the whole screen, or ends that. A browser that refuses leaves the window as it is. */
function toggleWholeScreen(): void {
  const change =
    document.fullscreenElement === null ? document.documentElement.requestFullscreen() : document.exitFullscreen()
  change.catch(() => {})
}

/** Opens the speaker's window, or brings it to the front. @param base the session's address */
function openSpeakerWindow(base: string): void {
  window.open(`${base}?speaker`, 'expresslane-speaker', 'popup,width=1280,height=860')?.focus()
}
