import { i18n } from '@expresslane/shared/base/language'
import { featuresOf } from '@expresslane/shared/features/settings'
import type { ExperimentPlan } from '@expresslane/shared/measure/experiment'
import { RESET_STEP } from '@expresslane/shared/run/events'
import type { RunState } from '@expresslane/shared/run/run-state'
import { Link } from 'react-router'
import { Card } from '../components/card.tsx'
import { formatDuration, formatTime } from '../words/format.ts'
import { QueuePlace } from '../components/run/queue-place.tsx'
import { lookOf, RunBadge } from '../components/run/run-badge.tsx'
import {
  EndNotice,
  ExportMenu,
  OutcomeView,
  OutputLog,
  recordingPath,
  reportPath,
  SampledRepeats,
} from '../result/index.ts'
import { ExperimentView } from '../experiment/index.ts'
import classes from './bench-run.module.css'

/** The feature that a plan's arms switch. */
function featureOf({ arms }: ExperimentPlan): string | null {
  return arms.flatMap(({ settings }) => featuresOf(settings))[0]?.id ?? null
}

function titleOf({ plan, stepId }: RunState): string {
  if (plan !== null) return plan.arms.map(({ label }) => label).join(' · ')
  return stepId === 'restore' || stepId === RESET_STEP ? i18n.t('Restore') : i18n.t('Experiment')
}

/** A run of the Bench page: its measurements, the proof of its arms, and its output. */
export function BenchRun({ run }: { run: RunState }) {
  const { outcome, endedAt, startedAt } = run
  return (
    <section aria-label={i18n.t('Result')} className={`${classes.run} stack wide`}>
      <div className={classes.head}>
        <div className="row between top one-line">
          <h2>{titleOf(run)}</h2>
          {endedAt !== null && run.plan !== null && (
            <ExportMenu path={reportPath.run(run.id)} recording={recordingPath.run(run.id)} />
          )}
        </div>
        <p className="row tight muted numbers">
          <RunBadge look={lookOf({ state: run.state, passed: outcome?.passed ?? null })} />
          <span>
            {endedAt === null
              ? formatTime(startedAt)
              : i18n.t('{time}, took {duration}', {
                  time: formatTime(startedAt),
                  duration: formatDuration(endedAt - startedAt),
                })}
          </span>
          {run.state === 'queued' && run.queue !== null && (
            <span role="status">
              <QueuePlace queue={run.queue} />
            </span>
          )}
          <Link to={`/runs/${run.id}`}>{i18n.t('Show in the history')}</Link>
        </p>
      </div>
      <EndNotice run={run} />
      {run.plan !== null && (
        <Card>
          <ExperimentView run={run} runs={[]} arms={[]} feature={featureOf(run.plan)} />
          <SampledRepeats run={run} arms={[]} />
        </Card>
      )}
      {outcome !== null && !outcome.passed && <OutcomeView outcome={outcome} hint={null} />}
      {outcome !== null && outcome.passed && (
        <details>
          <summary>{i18n.t('Proof: the packets show that each arm had its settings')}</summary>
          <OutcomeView outcome={outcome} hint={null} />
        </details>
      )}
      {run.log.length + run.logDropped > 0 && (
        <details>
          <summary>{i18n.t('Output of the tools')}</summary>
          <OutputLog run={run} />
        </details>
      )}
    </section>
  )
}
