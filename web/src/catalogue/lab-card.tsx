import { capitalized } from '@expresslane/shared/report/words'
import type { Lab } from '@expresslane/shared/labs/lab'
import type { SessionsResponse, TestbedView } from '@expresslane/shared/wire/protocol'
import { kindOf, type TestbedId } from '@expresslane/shared/testbed/id'
import { familyName } from '@expresslane/shared/measure/units'
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from 'react-router'
import { http } from '../api/http.ts'
import { listed, testbedName } from '../words/format.ts'
import { Notice } from '../components/notice.tsx'
import { FetchProblem, ProblemNotice } from '../components/problem-notice.tsx'
import { availabilityOf, type Availability } from './availability.ts'
import { CheckItem } from '../components/checks/check-list.tsx'
import classes from './lab-card.module.css'

type ListedSession = SessionsResponse['sessions'][number]

/** A testbed as far as it has been read: null while it is asked. */
export interface ReadTestbed {
  readonly id: TestbedId
  readonly testbed: TestbedView | null
  readonly failed: boolean
}

interface LabCardProps {
  lab: Lab
  testbeds: readonly ReadTestbed[]
  /** Null while they load. */
  sessions: readonly ListedSession[] | null
}

/** One lab: its question, and a way in for each testbed that can run it. */
export function LabCard({ lab, testbeds, sessions }: LabCardProps) {
  // Also while another one is still asked: the long form would come and go again.
  const elsewhere = testbeds.some(({ testbed, failed }) =>
    testbed === null ? !failed : availabilityOf(lab, testbed).possible,
  )
  return (
    <article className={classes.card} aria-labelledby={`lab-${lab.id}`}>
      <p className={classes.facts}>
        <span>{lab.families.map((one) => familyName[one]).join(' and ')}</span>
        <span>about {lab.minutes} minutes</span>
        <span>{lab.steps.length} steps</span>
      </p>
      <h3 id={`lab-${lab.id}`}>{lab.title}</h3>
      <p className={classes.question}>{lab.question}</p>
      <p className={classes.summary}>{lab.summary}</p>
      <ul role="list" className={classes.ways} aria-label={`Where to run ${lab.title}`}>
        {testbeds.map(({ id, testbed, failed }) => (
          <li key={kindOf(id)}>
            {testbed === null || sessions === null ? (
              <Asking id={id} failed={failed} />
            ) : (
              <WayIn
                lab={lab}
                testbed={testbed}
                sessions={sessions.filter((one) => one.labId === lab.id && one.testbed === id)}
                elsewhere={elsewhere}
              />
            )}
          </li>
        ))}
      </ul>
    </article>
  )
}

function Asking({ id, failed }: { id: TestbedId; failed: boolean }) {
  return (
    <p className={classes.asking}>
      {capitalized(testbedName(id))}: {failed ? 'no answer' : 'asking…'}
    </p>
  )
}

interface WayInProps {
  lab: Lab
  testbed: TestbedView
  sessions: readonly ListedSession[]
  /** Another testbed can run it, so that this one need not explain itself at length. */
  elsewhere: boolean
}

function latest(sessions: readonly ListedSession[]): ListedSession | undefined {
  const used = (one: ListedSession): number => one.lastRunAt ?? one.createdAt
  return sessions.toSorted((a, b) => used(b) - used(a))[0]
}

function WayIn({ lab, testbed, sessions, elsewhere }: WayInProps) {
  const navigate = useNavigate()
  const create = useMutation({
    mutationFn: () => http.createSession({ labId: lab.id, testbed: testbed.id }),
    onSuccess: ({ session }) => navigate(`/labs/${lab.id}/sessions/${session.id}`),
  })
  const available = availabilityOf(lab, testbed)
  const name = testbedName(testbed.id)
  if (!available.possible) {
    return elsewhere ? (
      <p className={classes.blocked}>
        {capitalized(name)}: {reasonOf(available)} <a href={`#${testbed.kind}`}>What to do</a>
      </p>
    ) : (
      <Blocked name={name} available={available} />
    )
  }
  const session = latest(sessions)
  const start = (
    <Button
      variant={session === undefined ? 'filled' : 'default'}
      loading={create.isPending}
      onClick={() => create.mutate()}
      aria-label={`${session === undefined ? 'Start' : 'Start anew'}: ${lab.title} on ${name}`}
    >
      {session === undefined ? 'Start' : 'Start anew'}
    </Button>
  )
  return (
    <>
      <div className={classes.way}>
        {session !== undefined && (
          <Button
            renderRoot={(props) => <Link to={`/labs/${lab.id}/sessions/${session.id}`} {...props} />}
            aria-label={`Continue: ${lab.title} on ${name}`}
          >
            Continue
          </Button>
        )}
        {start}
        <span className={classes.where}>
          {capitalized(name)}
          {session !== undefined && `, ${session.passedSteps.length} steps passed`}
        </span>
      </div>
      {create.error !== null && <FetchProblem error={create.error} retry={() => create.mutate()} />}
    </>
  )
}

/** Why the testbed can't run it, in one line. */
function reasonOf({ problem, blockers, lacking }: Availability): string {
  if (problem !== null) return problem.message
  const failed = blockers.map(({ title }) => title)
  if (failed.length > 0) return `${failed.length} failed ${failed.length > 1 ? 'checks' : 'check'} (${listed(failed)}).`
  return lacking.join(' ')
}

function Blocked({ name, available }: { name: string; available: Availability }) {
  const { problem, blockers, lacking } = available
  const title = `Can't run on: ${name}`
  return (
    <div className={classes.reasons}>
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
          <p className={classes.why}>{capitalized(name)} can't run it yet:</p>
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
