import { LabError } from '@expresslane/shared/wire/errors'
import { Link } from 'react-router'
import { Notice } from '../../components/notice.tsx'
import { FetchProblem, ProblemNotice } from '../../components/problem-notice.tsx'
import type { WalkState } from '../use-walk.ts'

interface ActionRefusedProps {
  walk: WalkState
  error: Error | null
  retry: () => void
}

/** Why the button can't be pressed, or why pressing it did nothing. */
export function ActionRefused({ walk, error, retry }: ActionRefusedProps) {
  const refused = error instanceof LabError && error.code === 'testbed_busy'
  if (walk.busy !== null) {
    return (
      <Notice tone="warn" title="The testbed is busy" role={refused ? 'alert' : 'status'}>
        <p>
          Another session runs its step <code>{walk.busy.stepId}</code> there now. Two at once would spoil both
          measurements; you can go on as soon as it has ended.
        </p>
        <p>
          <Link to={`/runs/${walk.busy.runId}`}>See that run, or cancel it</Link>
        </p>
      </Notice>
    )
  }
  if (refused && walk.active !== null) {
    return (
      <Notice tone="warn" title="Already running" role="alert">
        <p>This session runs a step already, perhaps from another tab. Its progress is shown here, too.</p>
      </Notice>
    )
  }
  if (error === null) return null
  return error instanceof LabError ? (
    <ProblemNotice problem={error.toProblem()} role="alert" />
  ) : (
    <FetchProblem error={error} retry={retry} />
  )
}
