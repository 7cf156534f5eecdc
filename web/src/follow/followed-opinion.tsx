import { i18n } from '@expresslane/shared/base/language'
import { runsOf, type ExperimentPlan } from '@expresslane/shared/measure/experiment'
import { takenIn, type RunState } from '@expresslane/shared/run/run-state'
import { Notice } from '../components/notice.tsx'
import { QueuePlace } from '../components/run/queue-place.tsx'
import { OpinionFound } from '../experiment/index.ts'

interface FollowedOpinionProps {
  run: RunState
  plan: ExperimentPlan
  /** The run of the counted machine. */
  opinion: RunState
}

/** A second opinion on an experiment, from its start. The presenter's page has the buttons. */
export function FollowedOpinion({ run, plan, opinion }: FollowedOpinionProps) {
  return (
    <section aria-label={i18n.t('Second opinion')} className="stack">
      <Stage run={run} plan={plan} opinion={opinion} />
    </section>
  )
}

const ended = {
  failed: /*i18n*/ 'It was failed.',
  cancelled: /*i18n*/ 'It was cancelled.',
  interrupted: /*i18n*/ 'It was interrupted.',
}

function Stage({ run, plan, opinion }: FollowedOpinionProps) {
  switch (opinion.state) {
    case 'queued':
    case 'running':
      return (
        <Notice tone="info" title={i18n.t('The counted machine gives a second opinion')} role="status">
          <p>
            <UnderWay opinion={opinion} />
          </p>
        </Notice>
      )
    case 'failed':
    case 'cancelled':
    case 'interrupted':
      return (
        <Notice tone="stopped" title={i18n.t('No second opinion')} role="status">
          <p>{opinion.problem?.message ?? i18n.t(ended[opinion.state])}</p>
        </Notice>
      )
    case 'completed':
      return <OpinionFound run={run} plan={plan} opinion={opinion} more={null} />
  }
}

function UnderWay({ opinion }: { opinion: RunState }) {
  const { plan, queue, repeats } = opinion
  if (queue !== null) return <QueuePlace queue={queue} />
  if (plan === null || repeats.length === 0) return i18n.t('It starts its virtual machine and makes the path.')
  const total = Math.max(runsOf(plan), repeats.length)
  return i18n.t('Measurement {number} of {total}', { number: Math.min(takenIn(opinion).length + 1, total), total })
}
