import { sessionId as sessionIdSchema, type SessionId } from '@expresslane/shared/run/events'
import type { Lab } from '@expresslane/shared/labs/lab'
import type { Session } from '@expresslane/shared/wire/protocol'
import { useParams } from 'react-router'
import { useLabs, useSession, useTestbed } from '../api/queries.ts'
import { Page } from '../components/card.tsx'
import { FetchProblem } from '../components/problem-notice.tsx'
import { Walk, WalkSkeleton } from '../walk/index.ts'
import { NotFoundPage } from './not-found-page.tsx'

/** One walk through one lab. */
export function LabPage() {
  const { sessionId } = useParams()
  const id = sessionIdSchema.safeParse(sessionId)
  return id.success ? <SessionWalk id={id.data} /> : <NotFoundPage />
}

function SessionWalk({ id }: { id: SessionId }) {
  const { labId, stepId } = useParams()
  const labs = useLabs()
  const session = useSession(id)
  const lab = labs.data?.labs.find((one) => one.id === labId)
  const failed = [labs, session].find(({ error, data }) => error !== null && data === undefined)
  if (failed !== undefined) {
    return (
      <Page>
        <h1 className="hidden">Lab</h1>
        <FetchProblem error={failed.error} retry={() => void failed.refetch()} />
      </Page>
    )
  }
  if (labs.data === undefined || session.data === undefined) return <WalkSkeleton />
  if (lab === undefined || session.data.session.labId !== lab.id) return <NotFoundPage />
  return <WalkOnTestbed lab={lab} session={session.data.session} stepId={stepId ?? null} />
}

/** The walk needs no answer of its testbed to be shown. */
function WalkOnTestbed(walk: { lab: Lab; session: Session; stepId: string | null }) {
  const { data } = useTestbed(walk.session.testbed)
  return <Walk {...walk} testbed={data ?? null} />
}
