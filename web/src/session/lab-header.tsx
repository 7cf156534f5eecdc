import { i18n } from '@expresslane/shared/base/language'
import { RESET_STEP } from '@expresslane/shared/run/events'
import type { Lab } from '@expresslane/shared/labs/lab'
import type { Session, TestbedView } from '@expresslane/shared/wire/protocol'
import { hasStarted, isOpen } from '@expresslane/shared/run/run-state'
import { propertiesOf } from '@expresslane/shared/testbed/id'
import { Button } from '../components/controls.tsx'
import { IconPresentation, IconRotate, IconTerminal } from '../icons.tsx'
import { useRef, type Ref } from 'react'
import { Link } from 'react-router'
import { useIsInstructor } from '../api/queries.ts'
import dialogs from '../components/dialog/dialog.module.css'
import { DriverNotice } from '../components/driver/driver-notice.tsx'
import { Notice } from '../components/notice.tsx'
import { FetchProblem, ProblemNotice } from '../components/problem-notice.tsx'
import { environmentWords } from '../words/environment.ts'
import { ExportMenu, recordingPath, reportPath } from '../result/index.ts'
import { KeptNotice } from './kept-notice.tsx'
import { SignedRecord } from './signed-record.tsx'
import type { Runner, SessionState } from './use-session-state.ts'
import classes from './session-view.module.css'

interface LabHeaderProps {
  lab: Lab
  session: Session
  testbed: TestbedView | null
  state: SessionState
  runner: Runner
  onReset: () => void
  /** Shows the terminals, or hides them. */
  onTerminals: () => void
}

/** The title of the lab, its testbed, and the buttons for all of it. */
export function LabHeader({ lab, session, testbed, state, runner, onReset, onTerminals }: LabHeaderProps) {
  const instructor = useIsInstructor()
  const confirm = useRef<HTMLDialogElement>(null)
  const unread = testbed !== null && testbed.facts === null ? testbed.problem : null
  const latest = state.runs
    .filter(hasStarted)
    .toSorted((a, b) => a.startedAt - b.startedAt)
    .at(-1)
  const failed = latest?.stepId === RESET_STEP && latest.state === 'failed' ? latest.problem : null
  const notBack = latest?.stepId === RESET_STEP && latest.outcome?.passed === false ? latest.outcome : null
  const resetting = state.active?.stepId === RESET_STEP || runner.reset.isPending
  const reset = (): void => runner.reset.mutate(undefined, { onSuccess: onReset })
  const recorded =
    !propertiesOf(session.testbed).isRecorded && state.runs.some((run) => hasStarted(run) && !isOpen(run))
  return (
    <>
      <div className="row between">
        <div className={`${classes.titles} row baseline`}>
          <h1>{lab.title}</h1>
          <p className="muted break-anywhere">{environmentWords(session.testbed, testbed).join(', ')}</p>
        </div>
        <div className="row top">
          {state.runs.some(({ state: end, comparisons }) => end === 'completed' && comparisons.length > 0) && (
            <Button component={Link} variant="default" to={`/labs/${lab.id}/sessions/${session.id}/summary`}>
              {i18n.t('Summary')}
            </Button>
          )}
          {state.runs.length > 0 && (
            <ExportMenu
              path={reportPath.session(session.id)}
              recording={recorded ? recordingPath.session(session.id) : null}
            />
          )}
          <SignedRecord lab={lab} session={session} runs={state.runs} />
          {!propertiesOf(session.testbed).isRecorded && (
            <Button
              variant="default"
              leftSection={<IconTerminal size={18} stroke={1.8} aria-hidden />}
              onClick={onTerminals}
            >
              {i18n.t('Terminal')}
            </Button>
          )}
          {instructor && (
            <Button
              component={Link}
              to="?present"
              variant="default"
              leftSection={<IconPresentation size={18} stroke={1.8} aria-hidden />}
              aria-keyshortcuts="p"
              title={i18n.t('Present this lab (P)')}
            >
              {i18n.t('Present')}
            </Button>
          )}
          <Button
            variant="default"
            leftSection={<IconRotate size={18} stroke={1.8} aria-hidden />}
            disabled={state.active !== null}
            loading={resetting}
            onClick={() => confirm.current?.showModal()}
          >
            {i18n.t('Reset')}
          </Button>
        </div>
      </div>
      {testbed !== null && propertiesOf(session.testbed).isCluster && <DriverNotice testbed={session.testbed} />}
      {unread !== null && (
        <ProblemNotice problem={unread} title={i18n.t('The testbed can’t be read right now')} tone="warn" />
      )}
      {notBack === null && failed === null && (
        <KeptNotice lab={lab} session={session} state={state} runner={runner} onReset={onReset} />
      )}
      {notBack !== null && (
        <Notice tone="bad" title={i18n.t('The original settings were not restored')} role="alert">
          <p>
            {notBack.sentence}{' '}
            {i18n.t('Press Reset again. Expresslane keeps the original settings until they are restored.')}
          </p>
        </Notice>
      )}
      {failed !== null && <ProblemNotice problem={failed} title={i18n.t('The reset failed')} role="alert" />}
      {runner.reset.error !== null && <FetchProblem error={runner.reset.error} retry={reset} />}
      <ResetDialog shown={confirm} reset={reset} />
    </>
  )
}

/** Asks before a reset. */
function ResetDialog({ shown, reset }: { shown: Ref<HTMLDialogElement>; reset: () => void }) {
  return (
    <dialog ref={shown} className={dialogs.dialog} aria-labelledby="reset-title">
      <h2 id="reset-title" className={dialogs.title}>
        {i18n.t('Reset the lab?')}
      </h2>
      <p>
        {i18n.t(
          'Reset restores the original settings of the datapath and removes the pods. All steps are marked as not run. Your measurements stay in the history.',
        )}
      </p>
      <form method="dialog" className={dialogs.buttons}>
        <Button variant="default" type="submit">
          {i18n.t('Keep going')}
        </Button>
        <Button type="submit" onClick={reset}>
          {i18n.t('Reset the lab')}
        </Button>
      </form>
    </dialog>
  )
}
