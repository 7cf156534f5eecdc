import { i18n } from '@expresslane/shared/base/language'
import { propertiesOf } from '@expresslane/shared/testbed/id'
import { sessionProgress } from '@expresslane/shared/run/progress'
import { isOpen } from '@expresslane/shared/run/run-state'
import { lazy, useEffect, useMemo } from 'react'
import { useLive } from '../api/live.tsx'
import { Card } from '../components/card.tsx'
import { Notice } from '../components/notice.tsx'
import { OnDemand } from '../components/on-demand.tsx'
import { CommandsByHand } from '../components/prose/commands-by-hand.tsx'
import { Markdown } from '../components/prose/markdown.tsx'
import { PathPanel } from '../features/index.ts'
import { shownFamily } from '../result/index.ts'
import classes from './follow.module.css'
import { ResultView } from './result-view.tsx'
import { RunLine } from './run-line.tsx'
import { StepBar } from './step-bar.tsx'
import type { Talk } from './use-talk.ts'

/** Loaded on demand: few steps ask a question. */
const Poll = lazy(async () => ({ default: (await import('./poll.tsx')).Poll }))

interface StepPageProps {
  talk: Talk
  /** False once the talk is over. */
  on: boolean
  /** The step that the reader looks at; null while they follow. */
  lookingAt: string | null
  look: (stepId: string | null) => void
}

/** A step: the presenter's, or the step that the reader looks at. */
export function StepPage({ talk, on, lookingAt, look }: StepPageProps) {
  const { lab, session, presentation } = talk
  const all = useLive((snapshot) => snapshot.runs)
  const incarnation = useLive((snapshot) => snapshot.incarnations.get(session.testbed) ?? null)
  const runs = useMemo(() => [...all.values()].filter((run) => run.sessionId === session.id), [all, session.id])
  const progress = useMemo(() => sessionProgress(lab, runs, incarnation), [lab, runs, incarnation])
  const active = runs.findLast((run) => run.state === 'running') ?? runs.findLast(isOpen) ?? null

  const asked = progress.findIndex(({ step }) => step.id === (lookingAt ?? presentation.stepId))
  const index = Math.max(0, asked)
  const current = progress[index]
  const follows = lookingAt === null
  const stepId = current?.step.id
  useEffect(() => {
    window.scrollTo({ top: 0 })
  }, [stepId])
  if (current === undefined) return null

  const { step, run } = current
  const poll = presentation.poll?.stepId === step.id ? presentation.poll : null
  const commands = step.commands.filter(({ on: kind }) => kind === propertiesOf(session.testbed).commandsOf)
  const path = (
    <PathPanel
      feature={lab.feature}
      testbed={session.testbed}
      family={shownFamily(lab, step, active)}
      runs={runs}
      problem={null}
    />
  )
  const blank = on && follows && presentation.blank
  const wide = on && follows && presentation.pathWide
  return (
    <div className={`${classes.talk} stack wide`}>
      {!on && (
        <Notice tone="info" title={i18n.t('The talk is over')} role="status">
          <p>{i18n.t('You can still look at what was shown until you close this page.')}</p>
        </Notice>
      )}
      {blank ? (
        <Card>
          <p role="status" className={`${classes.waiting} center large`}>
            {i18n.t('The presenter has blanked the screen. This page continues automatically.')}
          </p>
        </Card>
      ) : (
        <div className={`stack wide ${wide ? '' : `${classes.columns} top`}`}>
          <article className="stack wide" aria-labelledby="step-title">
            <Card>
              <p className="muted">{i18n.t('Step {step} of {steps}', { step: index + 1, steps: progress.length })}</p>
              <h2 id="step-title" className={classes.stepTitle}>
                {step.title}
              </h2>
              {/* Above the prose: on a phone nobody would see it below in time. */}
              {poll !== null && on && (
                <OnDemand>
                  <Poll key={poll.stepId} poll={poll} />
                </OnDemand>
              )}
              <Markdown text={step.prose} />
              <CommandsByHand commands={commands} />
            </Card>
            <RunLine lab={lab} active={active} stepId={step.id} />
            {run !== null && <ResultView run={run} step={step} lab={lab} runs={runs} />}
          </article>
          <div className={wide ? classes.first : ''}>{path}</div>
        </div>
      )}
      <StepBar progress={progress} index={index} follows={follows} on={on} look={look} />
    </div>
  )
}
