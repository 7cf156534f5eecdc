import { i18n } from '@expresslane/shared/base/language'
import { LabError } from '@expresslane/shared/base/errors'
import { InUseNotice } from '../../components/run/in-use-notice.tsx'
import { FetchProblem, ProblemNotice } from '../../components/problem-notice.tsx'
import type { SessionState } from '../use-session-state.ts'

interface ActionRefusedProps {
  state: SessionState
  error: Error | null
  retry: () => void
}

/** Shows why a run did not start, or that it would have to wait. */
export function ActionRefused({ state, error, retry }: ActionRefusedProps) {
  if (error !== null) {
    return error instanceof LabError ? (
      <ProblemNotice problem={error.toProblem()} role="alert" />
    ) : (
      <FetchProblem error={error} retry={retry} />
    )
  }
  if (state.busy === null || state.active?.state === 'running') return null
  return <InUseNotice runId={state.busy.runId}>{i18n.t('Another session is running a step there.')}</InUseNotice>
}
