import type { Lab } from '@expresslane/shared/lab'
import type { SessionsResponse, TestbedView } from '@expresslane/shared/protocol'
import { familyName } from '@expresslane/shared/units'
import { Button, Skeleton } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from 'react-router'
import { http } from '../api/http.ts'
import { testbedName } from '../components/format.ts'
import { Notice } from '../components/notice.tsx'
import { FetchProblem, ProblemNotice } from '../components/problem-notice.tsx'
import { availabilityOf } from './availability.ts'
import { CheckItem } from './check-list.tsx'
import classes from './lab-card.module.css'

type ListedSession = SessionsResponse['sessions'][number]

interface LabCardProps {
  lab: Lab
  /** Null while they load. */
  testbeds: readonly TestbedView[] | null
  sessions: readonly ListedSession[] | null
}

/** One lab: its question, and a way in for each testbed that can run it. */
export function LabCard({ lab, testbeds, sessions }: LabCardProps) {
  return (
    <article className={classes.card} aria-labelledby={`lab-${lab.id}`}>
      <p className={classes.facts}>
        <span>{familyName[lab.family]}</span>
        <span>about {lab.minutes} minutes</span>
        <span>{lab.steps.length} steps</span>
      </p>
      <h3 id={`lab-${lab.id}`}>{lab.title}</h3>
      <p className={classes.question}>{lab.question}</p>
      <p className={classes.summary}>{lab.summary}</p>
      <div className={classes.ways}>
        {testbeds === null || sessions === null ? (
          <Skeleton height={42} />
        ) : (
          testbeds.map((testbed) => (
            <WayIn
              key={testbed.kind}
              lab={lab}
              testbed={testbed}
              sessions={sessions.filter((one) => one.labId === lab.id && one.testbed === testbed.kind)}
            />
          ))
        )}
      </div>
    </article>
  )
}

interface WayInProps {
  lab: Lab
  testbed: TestbedView
  sessions: readonly ListedSession[]
}

function latest(sessions: readonly ListedSession[]): ListedSession | undefined {
  const used = (one: ListedSession): number => one.lastRunAt ?? one.createdAt
  return sessions.toSorted((a, b) => used(b) - used(a))[0]
}

function WayIn({ lab, testbed, sessions }: WayInProps) {
  const navigate = useNavigate()
  const create = useMutation({
    mutationFn: () => http.createSession({ labId: lab.id, testbed: testbed.kind }),
    onSuccess: ({ session }) => navigate(`/labs/${lab.id}/sessions/${session.id}`),
  })
  const { possible, problem, blockers, lacking } = availabilityOf(lab, testbed)
  const name = testbedName[testbed.kind]
  if (!possible) {
    return (
      <div className={classes.blocked}>
        {problem !== null && <ProblemNotice problem={problem} title={`Can't run on: ${name}`} tone="warn" />}
        {lacking.length > 0 && (
          <Notice tone="info" title={`Can't run on: ${name}`}>
            <p>It does not offer {lacking.join(', ')}.</p>
          </Notice>
        )}
        {blockers.length > 0 && (
          <>
            <p className={classes.why}>{name} can't run it yet:</p>
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
          {name}
          {session !== undefined && `, ${session.passedSteps.length} steps passed`}
        </span>
      </div>
      {create.error !== null && <FetchProblem error={create.error} retry={() => create.mutate()} />}
    </>
  )
}
