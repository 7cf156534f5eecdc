import { beginSession, type SessionsResponse, type TestbedView } from '@expresslane/shared/wire/protocol'
import { call } from '../api/request.ts'
import { capitalized } from '@expresslane/shared/features/words'
import type { Lab, ListedLab } from '@expresslane/shared/labs/lab'
import { kindOf, type TestbedId } from '@expresslane/shared/testbed/id'
import { familyName } from '@expresslane/shared/base/units'
import { testbedFor } from '@expresslane/shared/features/topology'
import { Button } from '../components/controls.tsx'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from 'react-router'
import { testbedName } from '../words/format.ts'
import { Notice } from '../components/notice.tsx'
import { ChangeProblem, ProblemNotice } from '../components/problem-notice.tsx'
import {
  availabilityOf,
  clear,
  ownReasons,
  reasonOf,
  sharedReasons,
  UNUSABLE_ID,
  type Availability,
} from './availability.ts'
import { CheckItem } from '../components/checks/check-list.tsx'
import classes from './lab-card.module.css'

type ListedSession = SessionsResponse['sessions'][number]

/** A testbed; `testbed` is null while it loads. */
export interface ReadTestbed {
  readonly id: TestbedId
  readonly testbed: TestbedView | null
  readonly failed: boolean
  /** The same machine's testbeds for other labs, as far as they are read. */
  readonly others: readonly TestbedView[]
}

interface LabCardProps {
  lab: ListedLab
  /** All listed labs: reasons that apply to all of them are shown once, above the cards. */
  labs: readonly Lab[]
  testbeds: readonly ReadTestbed[]
  /** Null while they load. */
  sessions: readonly ListedSession[] | null
}

interface Way {
  readonly id: TestbedId
  readonly failed: boolean
  /** Null while it loads. */
  readonly testbed: TestbedView | null
  readonly possible: boolean
  /** Reasons that apply to this lab and not to all labs. */
  readonly own: Availability
}

function wayOf(lab: Lab, labs: readonly Lab[], { id, testbed, failed, others }: ReadTestbed): Way {
  if (testbed === null) return { id, testbed, failed, possible: false, own: clear }
  // The preflight of the lab's own topology knows more, once it ran.
  const own = others.find((one) => one.id === testbedFor(lab.feature, id) && one.preflight.length > 0)
  const available = availabilityOf(lab, own ?? testbed)
  const reasons = ownReasons(available, sharedReasons(labs, testbed))
  return { id, testbed, failed, possible: available.possible, own: reasons }
}

/** A lab: its question, and for each testbed a start button or the reason why this lab can't run there. */
export function LabCard({ lab, labs, testbeds, sessions }: LabCardProps) {
  const ways = testbeds.map((one) => wayOf(lab, labs, one))
  // Also while another testbed loads: otherwise the long form would appear for a moment.
  const elsewhere = ways.some(({ testbed, failed, possible }) => possible || (testbed === null && !failed))
  const shown = ways.filter(({ testbed, possible, own }) => testbed === null || possible || !own.possible)
  return (
    <article className={classes.card} aria-labelledby={`lab-${lab.id}`}>
      <p className={`${classes.facts} row muted`}>
        <span>{lab.families.map((one) => familyName[one]).join(' and ')}</span>
        <span>about {lab.minutes} minutes</span>
        <span>{lab.steps.length} steps</span>
        {lab.origin === 'own' && (
          <span className={`${classes.own} strong break-anywhere`}>your own lab, {lab.file}</span>
        )}
      </p>
      <h3 id={`lab-${lab.id}`}>{lab.title}</h3>
      <p className={`${classes.question} medium pretty`}>{lab.question}</p>
      <p className={`${classes.summary} muted pretty`}>{lab.summary}</p>
      {shown.length > 0 && (
        <ul role="list" className={`${classes.ways} stack`} aria-label={`Where to run ${lab.title}`}>
          {shown.map((way) => (
            <li key={kindOf(way.id)}>
              {way.testbed === null || sessions === null ? (
                <Loading id={way.id} failed={way.failed} />
              ) : (
                <WayIn
                  lab={lab}
                  testbed={way.testbed}
                  way={way}
                  sessions={sessions.filter(
                    (one) => one.labId === lab.id && one.testbed === testbedFor(lab.feature, way.id),
                  )}
                  elsewhere={elsewhere}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {shown.length === 0 && ways.length > 0 && (
        <p className={classes.nowhere}>
          No testbed can run it yet. <a href={`#${UNUSABLE_ID}`}>Show why</a>
        </p>
      )}
    </article>
  )
}

function Loading({ id, failed }: { id: TestbedId; failed: boolean }) {
  return (
    <p className={classes.asking}>
      {capitalized(testbedName(id))}: {failed ? 'no response' : 'checking…'}
    </p>
  )
}

interface WayInProps {
  lab: ListedLab
  testbed: TestbedView
  way: Way
  sessions: readonly ListedSession[]
  /** Another testbed can run the lab, so one line is enough here. */
  elsewhere: boolean
}

function latest(sessions: readonly ListedSession[]): ListedSession | undefined {
  const used = (one: ListedSession): number => one.lastRunAt ?? one.createdAt
  return sessions.toSorted((a, b) => used(b) - used(a))[0]
}

function WayIn({ lab, testbed, way, sessions, elsewhere }: WayInProps) {
  const navigate = useNavigate()
  const create = useMutation({
    mutationFn: () => call(beginSession, { body: { labId: lab.id, testbed: testbed.id } }),
    onSuccess: ({ session }) => navigate(`/labs/${lab.id}/sessions/${session.id}`),
  })
  const name = testbedName(testbed.id)
  if (!way.possible) {
    // A failed check that blocks many labs has its remedy once, on the testbed's card.
    const many = way.own.blockers.some(({ blocks }) => blocks === 'topology')
    const mendable = way.own.problem !== null || way.own.blockers.length > 0
    return elsewhere || many ? (
      <p className={classes.blocked}>
        {capitalized(name)}: {reasonOf(way.own)} {mendable && <a href={`#${testbed.kind}`}>How to fix it</a>}
      </p>
    ) : (
      <Blocked name={name} available={way.own} />
    )
  }
  const session = latest(sessions)
  const start = (
    <Button
      variant={session === undefined ? 'filled' : 'default'}
      loading={create.isPending}
      onClick={() => create.mutate()}
      aria-label={`${session === undefined ? 'Start' : 'Start again'}: ${lab.title} on ${name}`}
    >
      {session === undefined ? 'Start' : 'Start again'}
    </Button>
  )
  return (
    <>
      <div className="row">
        {session !== undefined && (
          <Button
            component={Link}
            to={`/labs/${lab.id}/sessions/${session.id}`}
            aria-label={`Continue: ${lab.title} on ${name}`}
          >
            Continue
          </Button>
        )}
        {start}
        <span className={`${classes.where} muted break-anywhere`}>
          {capitalized(name)}
          {session !== undefined && `, ${session.passedSteps.length} steps passed`}
        </span>
      </div>
      <ChangeProblem of={create} />
    </>
  )
}

function Blocked({ name, available }: { name: string; available: Availability }) {
  const { problem, blockers, lacking } = available
  const title = `Can’t run on ${name}`
  return (
    <div className={`${classes.reasons} ruled`}>
      {problem !== null && <ProblemNotice problem={problem} title={title} tone="warn" />}
      {lacking.length > 0 && (
        <Notice tone="info" title={title}>
          {lacking.map((reason) => (
            <p key={reason}>{reason}</p>
          ))}
        </Notice>
      )}
      {blockers.length > 0 && (
        <>
          <p className={`${classes.why} strong`}>{capitalized(name)} can’t run it yet:</p>
          <ul role="list">
            {blockers.map((check) => (
              <CheckItem key={check.id} check={check} />
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
