import { i18n } from '@expresslane/shared/base/language'
import { askOpinion, cancelRun } from '@expresslane/shared/wire/protocol'
import { call } from '../../api/request.ts'
import { runsOf, type ExperimentPlan } from '@expresslane/shared/measure/experiment'
import { hasStarted, isOpen, takenIn, type RunState } from '@expresslane/shared/run/run-state'
import { Button } from '../../components/controls.tsx'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useOpinion } from '../../api/queries.ts'
import { Notice } from '../../components/notice.tsx'
import { ChangeProblem, FetchProblem, ProblemNotice } from '../../components/problem-notice.tsx'
import { QueuePlace } from '../../components/run/queue-place.tsx'
import { OpinionFound } from './opinion-found.tsx'

interface OpinionViewProps {
  /** An experiment of netns that asked for a second opinion, and has completed. */
  run: RunState
  plan: ExperimentPlan
}

/** The second opinion on an experiment, from the moment when the counted machine is asked. */
export function OpinionView({ run, plan }: OpinionViewProps) {
  const { query, opinion } = useOpinion(run.id)
  const client = useQueryClient()
  const ask = useMutation({
    mutationFn: () => call(askOpinion, { params: { id: run.id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['opinion', run.id] }),
  })
  if (query.error !== null) return <FetchProblem error={query.error} retry={() => void query.refetch()} />
  if (query.data === undefined) return null
  const again = (
    <Button variant="default" loading={ask.isPending} onClick={() => ask.mutate()}>
      {opinion === null ? i18n.t('Ask for it now') : i18n.t('Ask again')}
    </Button>
  )
  return (
    <section aria-label={i18n.t('Second opinion')} className="stack">
      {opinion === null ? (
        <Notice tone="info" title={i18n.t('No second opinion yet')} role="status">
          <p>
            {i18n.t(
              'It starts when this experiment has ended, or the Solve that it is part of. If it does not start then, the server was stopped or refused it.',
            )}
          </p>
          {again}
        </Notice>
      ) : (
        <Asked run={run} plan={plan} opinion={opinion} again={again} />
      )}
      <ChangeProblem of={ask} />
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
            <ProblemNotice problem={opinion.problem} title={i18n.t('No second opinion')} tone="warn" />
          )}
          <div>{again}</div>
        </>
      )
    case 'cancelled':
      return (
        <Notice tone="stopped" title={i18n.t('The second opinion was cancelled')} role="status">
          <p>
            {hasStarted(opinion)
              ? i18n.t('What it measured is in the history.')
              : i18n.t('It was still waiting in line.')}
          </p>
          {again}
        </Notice>
      )
    case 'interrupted':
      return (
        <Notice tone="warn" title={i18n.t('The second opinion was interrupted')} role="status">
          <p>{i18n.t('The server stopped while the counted machine measured.')}</p>
          {again}
        </Notice>
      )
    case 'completed':
      return (
        <OpinionFound
          run={run}
          plan={plan}
          opinion={opinion}
          more={<Link to={`/runs/${opinion.id}`}>{i18n.t('Show its run')}</Link>}
        />
      )
  }
}

/** Waiting, starting the machine, or measuring. */
function UnderWay({ opinion }: { opinion: RunState }) {
  const cancel = useMutation({ mutationFn: () => call(cancelRun, { params: { id: opinion.id } }) })
  const { plan, queue, repeats } = opinion
  const done = takenIn(opinion).length
  const total = plan === null ? null : Math.max(runsOf(plan), repeats.length)
  return (
    <Notice tone="info" title={i18n.t('The counted machine gives a second opinion')} role="status">
      {queue !== null && opinion.state === 'queued' ? (
        <QueuePlace queue={queue} />
      ) : repeats.length === 0 || total === null ? (
        <p>{i18n.t('It starts its virtual machine and makes the path.')}</p>
      ) : (
        <div className="stack tight">
          <p>{i18n.t('Measurement {number} of {total}', { number: Math.min(done + 1, total), total })}</p>
          <progress value={done} max={total} aria-label={i18n.t('{done} of {total} measurements', { done, total })} />
        </div>
      )}
      <div className="row">
        <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
          {i18n.t('Cancel the second opinion')}
        </Button>
        <Link to={`/runs/${opinion.id}`}>{i18n.t('Watch it')}</Link>
      </div>
      {cancel.error !== null && isOpen(opinion) && <FetchProblem error={cancel.error} retry={() => cancel.mutate()} />}
    </Notice>
  )
}
