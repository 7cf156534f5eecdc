import { i18n } from '@expresslane/shared/base/language'
import { sessionId as sessionIdSchema, type SessionId } from '@expresslane/shared/run/events'
import type { Lab } from '@expresslane/shared/labs/lab'
import { labOn } from '@expresslane/shared/labs/on-testbed'
import type { LabProblem } from '@expresslane/shared/labs/problem'
import type { Session } from '@expresslane/shared/wire/protocol'
import { kindOf } from '@expresslane/shared/testbed/id'
import { lazy, useMemo } from 'react'
import { Link, useParams, useSearchParams } from 'react-router'
import { useIsInstructor, useLabs, useMe, useSession, useTestbed } from '../api/queries.ts'
import { useLive } from '../api/live.tsx'
import { LabProblems, Tour } from '../catalogue/index.ts'
import { Empty, Page } from '../components/card.tsx'
import { FetchProblem } from '../components/problem-notice.tsx'
import { SessionSkeleton, SessionSummary, SessionView } from '../session/index.ts'
import { NotFoundPage } from './not-found-page.tsx'
import { OnDemand } from '../components/on-demand.tsx'

const Stage = lazy(() => import('../present/index.ts').then((room) => ({ default: room.Stage })))
const SpeakerWindow = lazy(() => import('../present/index.ts').then((room) => ({ default: room.SpeakerWindow })))

const PresentedNotice = lazy(() => import('../present/index.ts').then((room) => ({ default: room.PresentedNotice })))

/** A session of a lab; with `?present` the presenter's view of it, with `?speaker` the speaker's window. */
export function LabPage() {
  const { sessionId } = useParams()
  const id = sessionIdSchema.safeParse(sessionId)
  return id.success ? <SessionPage id={id.data} /> : <NotFoundPage />
}

function SessionPage({ id }: { id: SessionId }) {
  const { labId, stepId } = useParams()
  const me = useMe()
  const labs = useLabs()
  const session = useSession(id)
  const lab = labs.data?.labs.find((one) => one.id === labId)
  const failed = [labs, session].find(({ error, data }) => error !== null && data === undefined)
  if (failed !== undefined) {
    return (
      <Page>
        <h1 className="hidden">{i18n.t('Lab')}</h1>
        <FetchProblem error={failed.error} retry={() => void failed.refetch()} />
      </Page>
    )
  }
  // Who asks decides which view it is and which keys it has.
  if (labs.data === undefined || session.data === undefined || me.isPending) return <SessionSkeleton />
  if (session.data.session.labId !== labId) return <NotFoundPage />
  const { problems } = labs.data
  // The address of a step of that name is the step's.
  const sumsUp = stepId === 'summary' && lab?.steps.some((step) => step.id === stepId) === false
  if (lab === undefined) return <LabIsGone labId={labId} problems={problems} />
  return (
    <>
      <LabProblems problems={problems.filter(({ file }) => file === lab.file)} />
      <SessionOnTestbed lab={lab} session={session.data.session} stepId={stepId ?? null} sumsUp={sumsUp} />
    </>
  )
}

/** The lab's file was removed or renamed, or has an error since the server started. */
function LabIsGone({ labId, problems }: { labId: string; problems: readonly LabProblem[] }) {
  return (
    <Page>
      <h1 className="hidden">{i18n.t('Lab not found')}</h1>
      <LabProblems problems={problems} />
      <Empty title={i18n.t('The lab “{labId}” no longer exists', { labId })}>
        <p>
          {i18n.t(
            'Its file was removed or renamed, or has an error. Restore the file to continue. Your results are not lost.',
          )}
        </p>
        <p>
          <Link to="/history">{i18n.t('Show the results in the history')}</Link> ·{' '}
          <Link to="/">{i18n.t('Back to the labs')}</Link>
        </p>
      </Empty>
    </Page>
  )
}

interface SessionOnTestbedProps {
  lab: Lab
  session: Session
  stepId: string | null
  /** Shows the summary instead of a step. */
  sumsUp: boolean
}

/** Shows the session even before the testbed responds. */
function SessionOnTestbed({ lab, sumsUp, ...rest }: SessionOnTestbedProps) {
  const kind = kindOf(rest.session.testbed)
  const shown = { ...rest, lab: useMemo(() => labOn(lab, kind), [lab, kind]) }
  const { data } = useTestbed(shown.session.testbed)
  const [search] = useSearchParams()
  const instructor = useIsInstructor()
  const presentation = useLive((snapshot) => snapshot.presentation)
  if (instructor && search.has('present')) return <Stage {...shown} testbed={data ?? null} />
  if (instructor && search.has('speaker')) return <SpeakerWindow {...shown} />
  if (sumsUp) {
    return <SessionSummary lab={shown.lab} session={shown.session} testbed={data ?? null} />
  }
  return (
    <>
      {instructor && presentation?.sessionId === shown.session.id && (
        <OnDemand>
          <PresentedNotice lab={shown.lab} now={presentation} />
        </OnDemand>
      )}
      <SessionView {...shown} testbed={data ?? null} />
      {search.has('tour') && <Tour {...shown} />}
    </>
  )
}
