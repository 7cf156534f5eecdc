import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Notice } from '../notice.tsx'

/** Another session's run uses the testbed: what happens to a run that is started now. */
export function InUseNotice({ runId, children }: { runId: string; children: ReactNode }) {
  return (
    <Notice tone="info" title="The testbed is in use" role="status">
      <p>
        {children} A run that you start now waits in line and starts by itself: two at once would spoil both
        measurements.
      </p>
      <p>
        <Link to={`/runs/${runId}`}>See that run, or cancel it</Link>
      </p>
    </Notice>
  )
}
