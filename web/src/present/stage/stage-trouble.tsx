import { i18n } from '@expresslane/shared/base/language'
import { LabError, type Problem } from '@expresslane/shared/base/errors'
import { Notice } from '../../components/notice.tsx'
import { NetworkFailure } from '../../api/request.ts'
import type { Lead } from '../use-lead.ts'

/** The failure of a key press, and a warning that nothing is presented. */
export function StageTrouble({ lead, stepId }: { lead: Lead; stepId: string }) {
  const { talk, state, runner } = lead
  const error = runner.run.error ?? talk.error
  const asked = runner.run.variables?.stepId === stepId || runner.run.error === null
  // Once the run has ended, there is nothing left to cancel.
  const notCancelled = runner.cancel.variables?.id === state.active?.id ? runner.cancel.error : null
  return (
    <>
      {error !== null && asked && <Refused error={error} />}
      {notCancelled !== null && <Refused error={notCancelled} />}
      {talk.now === null && !talk.starting && talk.error === null && (
        <Notice tone="info" title={i18n.t('This session is not presented')} role="status">
          <p>{i18n.t('Press Space to present it, or Esc to leave.')}</p>
        </Notice>
      )}
    </>
  )
}

function Refused({ error }: { error: Error }) {
  if (error instanceof NetworkFailure) {
    return (
      <Notice tone="bad" title={i18n.t('Expresslane does not respond')} role="alert">
        <p>{i18n.t('Start the server again with npm start. Nothing is lost.')}</p>
      </Notice>
    )
  }
  const problem: Pick<Problem, 'message' | 'remedy'> | null = error instanceof LabError ? error.toProblem() : null
  return (
    <Notice tone="bad" title={problem?.message ?? error.message} role="alert">
      {problem !== null && <p>{problem.remedy}</p>}
    </Notice>
  )
}
