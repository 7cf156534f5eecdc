import { i18n } from '@expresslane/shared/base/language'
import { diagramOf } from '@expresslane/shared/labs/actions'
import type { Lab } from '@expresslane/shared/labs/lab'
import type { StepProgress } from '@expresslane/shared/run/progress'
import type { Session } from '@expresslane/shared/wire/protocol'
import type { PlacementVariant } from '@expresslane/shared/testbed/placement'
import { usePath } from '../api/live.tsx'
import { useLabs } from '../api/queries.ts'
import { Button } from '../components/controls.tsx'
import { IconArrowLeft, IconArrowRight } from '../icons.tsx'
import type { Ref } from 'react'
import { Link } from 'react-router'
import { Card } from '../components/card.tsx'
import { ExplainedProse } from '../components/prose/glossary.tsx'
import { RunResult } from '../result/index.ts'
import { ByHand } from './action/by-hand.tsx'
import { StepAction } from './action/step-action.tsx'
import { Guessed, GuessFirst } from './guess/guess.tsx'
import { DiagramView } from './diagram/diagram-view.tsx'
import classes from './session-view.module.css'
import type { Runner, SessionState } from './use-session-state.ts'

interface StepViewProps {
  lab: Lab
  session: Session
  /** The placements that the testbed supports. */
  placements: readonly PlacementVariant[]
  index: number
  current: StepProgress
  state: SessionState
  runner: Runner
  heading: Ref<HTMLHeadingElement>
  go: (to: number) => void
  /** Null while the terminals are open. */
  openTerminals: (() => void) | null
}

/** A step: prose, equivalent commands, action and result. */
export function StepView({
  lab,
  session,
  placements,
  index,
  current,
  state,
  runner,
  heading,
  go,
  openTerminals,
}: StepViewProps) {
  const { step, run } = current
  const onward = current.status === 'passed' || current.status === 'read' ? 'filled' : 'default'
  const { data } = useLabs()
  const settings = usePath(session.testbed)?.datapath?.settings ?? null
  const diagram = diagramOf(lab, index)
  return (
    <article className="stack wide" aria-labelledby="step-title">
      <Card>
        <div className="row between baseline one-line wide">
          <h2 id="step-title" ref={heading} tabIndex={-1} className={classes.stepTitle}>
            {step.title}
          </h2>
          <p className={`${classes.count} muted numbers no-wrap`}>
            {i18n.t('Step {step} of {steps}', { step: index + 1, steps: lab.steps.length })}
          </p>
        </div>
        <ExplainedProse text={step.prose} glossary={data?.glossary ?? []} />
        {diagram !== null && <DiagramView of={diagram} arms={lab.arms} settings={settings} />}
        <ByHand
          lab={lab}
          testbed={session.testbed}
          current={current}
          state={state}
          runner={runner}
          openTerminals={openTerminals}
        />
        <GuessFirst lab={lab} sessionId={session.id} step={step} runs={state.runs} />
        {step.action !== null && (
          <StepAction
            lab={lab}
            testbed={session.testbed}
            placements={placements}
            current={current}
            action={step.action}
            state={state}
            runner={runner}
          />
        )}
      </Card>
      {run !== null && <Guessed run={run} />}
      {run !== null && <RunResult run={run} step={step} lab={lab} runs={state.runs} />}
      <div className={`${classes.moves} row between`}>
        <Button
          variant="default"
          disabled={index === 0}
          leftSection={<IconArrowLeft size={18} aria-hidden />}
          onClick={() => go(index - 1)}
        >
          {i18n.t('Previous')}
        </Button>
        {index === lab.steps.length - 1 ? (
          <Button component={Link} variant={onward} to={`/labs/${lab.id}/sessions/${session.id}/summary`}>
            {i18n.t('What you found out')}
          </Button>
        ) : (
          <Button
            variant={onward}
            rightSection={<IconArrowRight size={18} aria-hidden />}
            onClick={() => go(index + 1)}
          >
            {i18n.t('Next')}
          </Button>
        )}
      </div>
    </article>
  )
}
