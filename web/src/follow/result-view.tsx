import { i18n } from '@expresslane/shared/base/language'
import type { Lab, Step } from '@expresslane/shared/labs/lab'
import { isOpen, type RunState } from '@expresslane/shared/run/run-state'
import { lazy } from 'react'
import { Card } from '../components/card.tsx'
import { RecordedContext } from '../components/prose/command-block.tsx'
import { propertiesOf } from '@expresslane/shared/testbed/id'
import { CheckList } from '../components/checks/check-list.tsx'
import { OnDemand } from '../components/on-demand.tsx'
import { Exhibits } from '../exhibits/index.ts'
import { CapturePieces } from '../features/index.ts'
import { CountedNote, EndNotice, OutcomeView, OutputLog, PlacementView } from '../result/index.ts'
import { lookAmong } from '../theme.ts'
import classes from './follow.module.css'
import { MeasureView } from './measure-view.tsx'

/** Loaded on demand, with the statistics: most steps compare nothing. */
const ExperimentResult = lazy(async () => ({ default: (await import('./experiment-result.tsx')).ExperimentResult }))

interface ResultViewProps {
  run: RunState
  step: Step
  lab: Lab
  /** The runs of the session. */
  runs: readonly RunState[]
}

/** All results of a run so far, in the charts that a phone can show. */
export function ResultView({ run, step, lab, runs }: ResultViewProps) {
  const compares = run.plan !== null || run.comparisons.length > 0
  const measures = run.plan === null && run.repeats.length > 0
  const { checks, placement, capture, exhibits } = run
  const looks = capture !== null || exhibits.length > 0
  const parts = checks.length > 0 || placement !== null || looks || compares || measures
  return (
    <RecordedContext value={propertiesOf(run.testbed).isRecorded}>
      <section aria-label={i18n.t('Result')} className={`${classes.result} stack wide`}>
        <EndNotice run={run} />
        {parts && (
          <Card>
            <div className="stack apart">
              {checks.length > 0 && <CheckList checks={checks} />}
              {placement !== null && !measures && !compares && !looks && <PlacementView placement={placement} />}
              {compares && (
                <OnDemand fallback={<p className="muted">{i18n.t('Loading the comparison…')}</p>}>
                  <ExperimentResult key={run.id} run={run} runs={runs} lab={lab} />
                </OnDemand>
              )}
              {measures && <MeasureView run={run} lab={lab} runs={runs} />}
              <CountedNote runs={[run]} />
              <Exhibits of={exhibits} />
              {capture !== null && (
                <section aria-label={i18n.t('Captured packets')} data-hue={lookAmong(lab.arms, capture.arm).hue}>
                  <CapturePieces feature={lab.feature} capture={capture} />
                </section>
              )}
            </div>
          </Card>
        )}
        {!isOpen(run) && run.outcome !== null && <OutcomeView outcome={run.outcome} hint={step.hint} />}
        <OutputLog run={run} />
      </section>
    </RecordedContext>
  )
}
