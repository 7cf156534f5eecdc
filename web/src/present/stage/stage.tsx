import { actionProperties } from '@expresslane/shared/labs/actions'
import type { Lab } from '@expresslane/shared/labs/lab'
import type { Session, TestbedView } from '@expresslane/shared/wire/protocol'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import { propertiesOf } from '@expresslane/shared/testbed/id'
import { hasStarted } from '@expresslane/shared/run/run-state'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { PathPanel } from '../../features/index.ts'
import { shownFamily } from '../../result/index.ts'
import { StepDots } from '../../walk/index.ts'
import type { LeadKey } from '../keys.ts'
import { ResultSlide } from '../slides/result-slide.tsx'
import { TextSlide } from '../slides/text-slide.tsx'
import { useLead, useLeadKeys } from '../use-lead.ts'
import { KeyList } from './key-list.tsx'
import { Links } from './links.tsx'
import { openSpeakerWindow, toggleWholeScreen } from './screen.ts'
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
  const { talk, walk, index, press } = lead
  const navigate = useNavigate()
  const [overlay, setOverlay] = useState<'keys' | 'links' | null>(null)
  const [textOf, setTextOf] = useState<string | null>(null)
  const base = `/labs/${lab.id}/sessions/${session.id}`
  const current = walk.progress[index]
  const run = current?.run ?? null
  // A new run of the step shows its result again.
  const shown = `${current?.step.id} ${run?.id}`

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
    switch (key) {
      case 'text':
        return setTextOf(textOf === shown ? null : shown)
      case 'keys':
      case 'links':
        return setOverlay(key)
      case 'speaker':
        return openSpeakerWindow(base)
      case 'screen':
        return toggleWholeScreen()
      case 'down':
      case 'up':
        return scroll(key === 'down' ? 1 : -1)
      case 'leave':
        return void navigate(`${base}/${current?.step.id ?? ''}`)
      case 'advance':
      case 'next':
      case 'previous':
      case 'first':
      case 'last':
      case 'again':
      case 'cancel':
      case 'blank':
      case 'path':
      case 'autopilot':
      case 'longer-pauses':
      case 'shorter-pauses':
        return press(key)
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
  const path = (read: DatapathState | null) => (
    <PathPanel
      feature={lab.feature}
      testbed={session.testbed}
      family={shownFamily(lab, step, walk.active)}
      runs={walk.runs}
      problem={testbed?.problem ?? null}
      wide
      read={read}
    />
  )
  // An earlier step keeps the path that it read: the current one would contradict its outcome. So does a restored
  // recording: somebody else may play the same one.
  const isRestored = propertiesOf(session.testbed).isRecorded && actionProperties(step.action).restores
  const isLatest = !isRestored && walk.runs.every(({ startedAt }) => run === null || startedAt <= run.startedAt)
  // Nobody to compare the verdict with: the result gets the room.
  const poll = talk.now?.poll ?? null
  const answered = poll !== null && Object.values(poll.answers).some((count) => count > 0) ? poll : null
  const showsResult = run !== null && hasStarted(run) && textOf !== shown
  return (
    <article className={classes.stage} data-stage aria-labelledby="stage-title">
      <header className={`${classes.head} row one-line between`}>
        <h1 className="hidden">{lab.title}</h1>
        <h2 id="stage-title" ref={heading} tabIndex={-1} className={classes.title}>
          {step.title}
        </h2>
        <p className={`${classes.head} ${classes.dots} row one-line fixed muted numbers no-wrap`}>
          {index + 1} / {walk.progress.length} <StepDots progress={walk.progress} index={index} />
        </p>
      </header>
      <div
        ref={body}
        className={classes.body}
        role="region"
        aria-label="Slide"
        tabIndex={0}
        key={`${step.id} ${showsResult}`}
      >
        <StageTrouble lead={lead} stepId={step.id} />
        {talk.now?.pathWide === true ? (
          path(null)
        ) : showsResult ? (
          <ResultSlide
            lab={lab}
            step={step}
            run={run}
            runs={walk.runs}
            poll={answered}
            path={path(isLatest ? null : run.datapath)}
          />
        ) : (
          <TextSlide step={step} poll={poll} />
        )}
      </div>
      <StageStatus lab={lab} lead={lead} testbed={session.testbed} />
      {overlay === 'keys' && <KeyList onClose={() => setOverlay(null)} />}
      {overlay === 'links' && <Links onClose={() => setOverlay(null)} />}
    </article>
  )
}

function BlankScreen() {
  return (
    <article className={classes.blank} data-stage aria-label="Presentation">
      <h1 className="hidden">The screen is blank. Press the full stop to show it again.</h1>
    </article>
  )
}
