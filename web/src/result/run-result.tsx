import { i18n } from '@expresslane/shared/base/language'
import { actionProperties } from '@expresslane/shared/labs/actions'
import type { Lab, Step } from '@expresslane/shared/labs/lab'
import { measuredBefore } from '@expresslane/shared/run/progress'
import { isOpen, type RunState } from '@expresslane/shared/run/run-state'
import { propertiesOf } from '@expresslane/shared/testbed/id'
import { Card } from '../components/card.tsx'
import { CheckList } from '../components/checks/check-list.tsx'
import { RecordedContext } from '../components/prose/command-block.tsx'
import { useChosen } from '../components/use-chosen.ts'
import { Exhibits } from '../exhibits/index.ts'
import { ExperimentView } from '../experiment/index.ts'
import { CountedNote } from './counted-note.tsx'
import { MeasurementView } from './measurement/measurement-view.tsx'
import { OutcomeView, EndNotice } from './outcome-view.tsx'
import { OutputLog } from './output-log.tsx'
import { CaptureView, DeviceTable } from '../features/index.ts'
import { PlacementView } from './placement-view.tsx'
import { shownFamily } from './shown-family.ts'
import { SampledRepeats } from './measurement/sample-view.tsx'
import { startTransition, useEffect, useState, type ReactNode } from 'react'
import classes from './result.module.css'

interface RunResultProps {
  run: RunState
  step: Step | null
  lab: Lab | null
  /** The runs of the session, for comparison; empty outside of a session. */
  runs: readonly RunState[]
}

/** Draws a part of the page after the rest, so that a page with much to draw does not keep the browser for one long task. */
function Later({ children, atOnce = false }: { children: ReactNode; atOnce?: boolean }) {
  const [due, setDue] = useState(atOnce)
  useEffect(() => startTransition(() => setDue(true)), [])
  return due ? children : null
}

/** All results of a run so far. */
export function RunResult(props: RunResultProps) {
  // A run that goes on is drawn at once, and stays.
  return (
    <Later atOnce={isOpen(props.run)}>
      <Results {...props} />
    </Later>
  )
}

function Results({ run, step, lab, runs }: RunResultProps) {
  const family = lab === null || step === null ? (run.repeats[0]?.family ?? null) : shownFamily(lab, step, run)
  const [packet, choosePacket] = useChosen('packet')
  const [arms, feature] = [lab?.arms ?? [], lab?.feature ?? null]
  const measures = run.plan !== null || run.repeats.length > 0
  const shows = run.placement !== null || run.capture !== null || run.exhibits.length > 0 || run.comparisons.length > 0
  const parts = run.checks.length > 0 || shows || measures
  return (
    <RecordedContext value={propertiesOf(run.testbed).isRecorded}>
      <section aria-label={i18n.t('Result')} className={`${classes.result} stack wide`}>
        <EndNotice run={run} />
        {parts && (
          <Card>
            {run.checks.length > 0 && <CheckList checks={run.checks} />}
            {run.placement !== null && !measures && run.capture === null && run.exhibits.length === 0 && (
              <PlacementView placement={run.placement} />
            )}
            {(run.plan !== null || run.comparisons.length > 0) && (
              <ExperimentView run={run} runs={runs} arms={arms} feature={feature} />
            )}
            <SampledRepeats run={run} arms={arms} />
            {run.plan === null && run.repeats.length > 0 && (
              <MeasurementView run={run} arms={arms} before={lab === null ? [] : measuredBefore(lab, runs, run)} />
            )}
            <CountedNote runs={[run]} />
            <Exhibits of={run.exhibits} />
            {run.capture !== null && (
              <CaptureView
                feature={feature}
                capture={run.capture}
                runs={runs}
                arms={arms}
                chosen={packet}
                onChoose={choosePacket}
              />
            )}
          </Card>
        )}
        {!isOpen(run) && run.outcome !== null && <OutcomeView outcome={run.outcome} hint={step?.hint ?? null} />}
        {actionProperties(step?.action).showsReading && run.datapath !== null && family !== null && (
          <DeviceTable feature={feature} datapath={run.datapath} family={family} />
        )}
        <Later atOnce={isOpen(run)}>
          <OutputLog run={run} />
        </Later>
      </section>
    </RecordedContext>
  )
}
