import { i18n } from '@expresslane/shared/base/language'
import { Trans } from '#language'
import { cancelRun } from '@expresslane/shared/wire/protocol'
import { call } from '../api/request.ts'
import { capitalized } from '@expresslane/shared/features/words'
import { hasStarted, isOpen, type RunState } from '@expresslane/shared/run/run-state'
import { RESET_STEP, runId as runIdSchema, type RunId } from '@expresslane/shared/run/events'
import { propertiesOf } from '@expresslane/shared/testbed/id'
import { Button } from '../components/controls.tsx'
import { useMutation } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { useLive } from '../api/live.tsx'
import { useLabs, useRun } from '../api/queries.ts'
import { Page } from '../components/card.tsx'
import { formatDuration, formatTime, testbedName } from '../words/format.ts'
import { PageSkeleton } from '../components/frame/page-skeleton.tsx'
import { FetchProblem } from '../components/problem-notice.tsx'
import { QueuePlace } from '../components/run/queue-place.tsx'
import { lookOf, RunBadge } from '../components/run/run-badge.tsx'
import { ExportMenu, recordingPath, reportPath, RunResult } from '../result/index.ts'
import { kernelWords } from '../words/environment.ts'
import { RecordingBanner } from '../recordings/index.ts'
import { NotFoundPage } from './not-found-page.tsx'
import classes from './run-page.module.css'

interface RunLinks {
  /** The page above it: its address and name. */
  readonly back: readonly [to: string, name: string]
  /** The address of its session; null where that has no page. */
  readonly session: string | null
}

function linksInApp({ labId, sessionId }: RunState): RunLinks {
  return { back: ['/history', i18n.t('History')], session: `/labs/${labId}/sessions/${sessionId}` }
}

interface RunPageProps {
  /** By default a run of the history. */
  linksOf?: (run: RunState) => RunLinks
}

/** A run by itself. */
export function RunPage({ linksOf = linksInApp }: RunPageProps) {
  const { runId } = useParams()
  const id = runIdSchema.safeParse(runId)
  return id.success ? <OneRun id={id.data} linksOf={linksOf} /> : <NotFoundPage />
}

function OneRun({ id, linksOf }: Required<RunPageProps> & { id: RunId }) {
  const fetched = useRun(id)
  const labs = useLabs()
  const live = useLive((snapshot) => snapshot.runs.get(id) ?? null)
  const cancel = useMutation({ mutationFn: () => call(cancelRun, { params: { id } }) })
  const run = live ?? fetched.data ?? null
  if (run === null) {
    if (fetched.error === null) return <PageSkeleton />
    return (
      <Page>
        <h1 className="hidden">{i18n.t('Past run')}</h1>
        <FetchProblem error={fetched.error} retry={() => void fetched.refetch()} />
      </Page>
    )
  }
  const lab = labs.data?.labs.find((one) => one.id === run.labId) ?? null
  const step = lab?.steps.find((one) => one.id === run.stepId) ?? null
  const { back, session } = linksOf(run)
  const title = lab?.title ?? run.labId
  const name = run.stepId === RESET_STEP ? i18n.t('Reset') : (step?.title ?? run.stepId)
  return (
    <Page>
      {propertiesOf(run.testbed).isRecorded && <RecordingBanner testbed={run.testbed} run={run} />}
      <p>
        <Link to={back[0]}>{back[1]}</Link>
      </p>
      <div className={`${classes.head} row`}>
        <h1>{name}</h1>
        <RunBadge
          look={lookOf({
            state: run.state,
            passed: run.outcome?.passed ?? null,
            leftOut: run.outcome?.leftOut,
          })}
        />
        {isOpen(run) && (
          <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
            {i18n.t('Cancel')}
          </Button>
        )}
        <div className={classes.export}>
          <ExportMenu
            path={reportPath.run(run.id)}
            recording={
              propertiesOf(run.testbed).isRecorded || isOpen(run) || !hasStarted(run) ? null : recordingPath.run(run.id)
            }
          />
        </div>
      </div>
      <dl className={classes.facts}>
        <div>
          <dt>{i18n.t('Lab')}</dt>
          <dd>{session === null ? title : <Link to={session}>{title}</Link>}</dd>
        </div>
        <div>
          <dt>{i18n.t('Where')}</dt>
          <dd>{capitalized(testbedName(run.testbed, run.facts?.cluster?.context ?? null))}</dd>
        </div>
        <div>
          <dt>{hasStarted(run) ? i18n.t('Started') : i18n.t('Queued')}</dt>
          <dd>{formatTime(run.startedAt)}</dd>
        </div>
        <div>
          <dt>{i18n.t('Duration')}</dt>
          <dd>{run.endedAt === null ? i18n.t(run.state) : formatDuration(run.endedAt - run.startedAt)}</dd>
        </div>
        <div>
          <dt>{i18n.t('Kernel')}</dt>
          <dd>{run.facts === null ? i18n.t('not recorded') : kernelWords(run.facts)}</dd>
        </div>
        {run.facts !== null && (
          <div>
            <dt>CPU</dt>
            <dd>
              {run.facts.cpu.count} × {run.facts.cpu.model}
            </dd>
          </div>
        )}
      </dl>
      {run.params.opinionOf !== undefined && (
        <p>
          <Trans
            id="A second opinion on <0>an experiment on this machine</0>."
            components={{ 0: <Link to={`/runs/${run.params.opinionOf}`} /> }}
          />
        </p>
      )}
      {cancel.error !== null && isOpen(run) && <FetchProblem error={cancel.error} retry={() => cancel.mutate()} />}
      {run.state === 'queued' && run.queue !== null && (
        <p role="status">
          <QueuePlace queue={run.queue} />
        </p>
      )}
      <h2 className="hidden">{i18n.t('Result')}</h2>
      <RunResult run={run} step={step} lab={lab} runs={[]} />
    </Page>
  )
}
