import { agreementName, isDisagreement, opinionsOf, type Opinion } from '@expresslane/shared/compare/opinion'
import { capitalized } from '@expresslane/shared/features/words'
import { runsOf, type ExperimentPlan } from '@expresslane/shared/measure/experiment'
import { hasStarted, isOpen, takenIn, type RunState } from '@expresslane/shared/run/run-state'
import { Button, Progress } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { http } from '../../api/http.ts'
import { useOpinion } from '../../api/queries.ts'
import { Notice } from '../../components/notice.tsx'
import { FetchProblem, ProblemNotice } from '../../components/problem-notice.tsx'
import { QueuePlace } from '../../components/run/queue-place.tsx'
import { LeftOut } from '../left-out.tsx'
import classes from './opinion.module.css'

/** More rows than these are folded. */
const SHOWN_AT_ONCE = 8

interface OpinionViewProps {
  /** An experiment of netns that asked for a second opinion, and has completed. */
  run: RunState
  plan: ExperimentPlan
}

/** What the counted machine says of an experiment, from the moment when it is asked. */
export function OpinionView({ run, plan }: OpinionViewProps) {
  const { query, opinion } = useOpinion(run.id)
  const client = useQueryClient()
  const ask = useMutation({
    mutationFn: () => http.askOpinion(run.id),
    onSuccess: () => client.invalidateQueries({ queryKey: ['opinion', run.id] }),
  })
  if (query.error !== null) return <FetchProblem error={query.error} retry={() => void query.refetch()} />
  if (query.data === undefined) return null
  const again = (
    <Button variant="default" loading={ask.isPending} onClick={() => ask.mutate()}>
      {opinion === null ? 'Ask for it now' : 'Ask again'}
    </Button>
  )
  return (
    <section aria-label="Second opinion" className={classes.view}>
      {opinion === null ? (
        <Notice tone="info" title="No second opinion yet" role="status">
          <p>
            It starts when this experiment has ended, or the Solve that it is part of. If it does not start then, the
            server was stopped or refused it.
          </p>
          {again}
        </Notice>
      ) : (
        <Asked run={run} plan={plan} opinion={opinion} again={again} />
      )}
      {ask.error !== null && <FetchProblem error={ask.error} retry={() => ask.mutate()} />}
    </section>
  )
}

interface AskedProps extends OpinionViewProps {
  opinion: RunState
  /** A button that asks once more. */
  again: ReactNode
}

function Asked({ run, plan, opinion, again }: AskedProps) {
  switch (opinion.state) {
    case 'queued':
    case 'running':
      return <UnderWay opinion={opinion} />
    case 'failed':
      return (
        <>
          {opinion.problem !== null && (
            <ProblemNotice problem={opinion.problem} title="No second opinion" tone="warn" />
          )}
          {again}
        </>
      )
    case 'cancelled':
      return (
        <Notice tone="stopped" title="The second opinion was cancelled" role="status">
          <p>{hasStarted(opinion) ? 'What it measured is in the history.' : 'It was still waiting in line.'}</p>
          {again}
        </Notice>
      )
    case 'interrupted':
      return (
        <Notice tone="warn" title="The second opinion was interrupted" role="status">
          <p>The server stopped while the counted machine measured.</p>
          {again}
        </Notice>
      )
    case 'completed':
      return <Found run={run} plan={plan} opinion={opinion} />
  }
}

/** Waiting, starting the machine, or measuring. */
function UnderWay({ opinion }: { opinion: RunState }) {
  const cancel = useMutation({ mutationFn: () => http.cancel(opinion.id) })
  const { plan, queue, repeats } = opinion
  const done = takenIn(opinion).length
  const total = plan === null ? null : Math.max(runsOf(plan), repeats.length)
  return (
    <Notice tone="info" title="The counted machine gives a second opinion" role="status">
      {queue !== null && opinion.state === 'queued' ? (
        <QueuePlace queue={queue} />
      ) : repeats.length === 0 || total === null ? (
        <p>It starts its virtual machine and makes the path.</p>
      ) : (
        <div className={classes.progress}>
          <p>
            Measurement {Math.min(done + 1, total)} of {total}
          </p>
          <Progress value={(done / total) * 100} color="var(--run)" aria-label={`${done} of ${total} measurements`} />
        </div>
      )}
      <div className={classes.moves}>
        <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel the second opinion
        </Button>
        <Link to={`/runs/${opinion.id}`}>Watch it</Link>
      </div>
      {cancel.error !== null && isOpen(opinion) && <FetchProblem error={cancel.error} retry={() => cancel.mutate()} />}
    </Notice>
  )
}

/** The label of an arm or a case; its id where the plan lacks it. */
function labelIn(of: readonly { id: string; label: string }[], id: string | null): string {
  return of.find((one) => one.id === id)?.label ?? id ?? ''
}

/** A number stays on the line of its percent sign. */
function unbroken(sentence: string): string {
  return sentence.replaceAll(' %', '\u{a0}%')
}

/** What the result slide says of a completed second opinion on two arms; nothing otherwise. */
export function OpinionLine({ run }: { run: RunState }) {
  const { opinion } = useOpinion(run.id)
  const [only, ...others] = opinion?.state === 'completed' ? opinionsOf(run.comparisons, opinion.comparisons) : []
  return only === undefined || others.length > 0 ? null : <p>{unbroken(`Second opinion: ${only.sentence}`)}.</p>
}

/** Both opinions, and what a disagreement can mean. */
function Found({ run, plan, opinion }: { run: RunState; plan: ExperimentPlan; opinion: RunState }) {
  const all = opinionsOf(run.comparisons, opinion.comparisons)
  const [only, ...others] = all
  const cases = plan.cases.filter(({ id }) => !opinion.plan?.cases.some((one) => one.id === id))
  return (
    <>
      <LeftOut arms={opinion.leftOut} />
      {only === undefined ? (
        <Notice tone="info" title="Nothing to compare with the second opinion" />
      ) : others.length === 0 ? (
        <Notice
          tone={isDisagreement(only.agreement) ? 'warn' : 'info'}
          title={unbroken(`Second opinion: ${only.sentence}`)}
        >
          <p>{only.meaning}</p>
        </Notice>
      ) : (
        <Several plan={plan} all={all} />
      )}
      {cases.length > 0 && (
        <p className={classes.note}>
          Left out there, because it takes minutes to set up: {cases.map(({ label }) => label).join(', ')}.
        </p>
      )}
      {opinion.outcome?.passed === false && (
        <p className={classes.note}>On the counted machine some values were not as expected for their arm.</p>
      )}
      <p className={classes.note}>
        The counted machine counts the instructions of the same work. It does not count caches, interrupts and several
        CPUs. <Link to={`/runs/${opinion.id}`}>Show its run</Link>
      </p>
    </>
  )
}

/** What the opinions mean, once for all that mean the same, and each of them. */
function Several({ plan, all }: { plan: ExperimentPlan; all: readonly Opinion[] }) {
  const groups = [...Map.groupBy(all, ({ meaning }) => meaning)]
  const differ = all.filter(({ agreement }) => isDisagreement(agreement)).length
  const summary = differ === 0 ? 'no disagreement' : `${differ} of ${all.length} disagree`
  return (
    <>
      <Notice tone={differ > 0 ? 'warn' : 'info'} title={`Second opinion: ${summary}`}>
        {groups.map(([meaning, of]) => (
          <p key={meaning}>
            <strong>{of.length === all.length ? 'All' : `${of.length} of ${all.length}`}:</strong> {meaning}
          </p>
        ))}
      </Notice>
      {all.length <= SHOWN_AT_ONCE ? (
        <Each plan={plan} all={all} />
      ) : (
        <details>
          <summary>Show all {all.length}</summary>
          <Each plan={plan} all={all} />
        </details>
      )}
    </>
  )
}

function Each({ plan, all }: { plan: ExperimentPlan; all: readonly Opinion[] }) {
  const named = plan.cases.length > 1
  return (
    <ul className={classes.each} aria-label="Both opinions">
      {all.map(({ caseId, arm, sentence, agreement }) => (
        <li key={`${caseId} ${arm}`} data-differs={isDisagreement(agreement)}>
          <span className={classes.of}>
            {named && `${labelIn(plan.cases, caseId)}: `}
            {labelIn(plan.arms, arm)}
          </span>
          <span>{unbroken(capitalized(sentence))}</span>
          <span className={classes.together}>{capitalized(agreementName[agreement])}</span>
        </li>
      ))}
    </ul>
  )
}
