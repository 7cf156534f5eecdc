import { i18n } from '@expresslane/shared/base/language'
import { isOpen, type RunState } from '@expresslane/shared/run/run-state'
import { propertiesOf, type TestbedId } from '@expresslane/shared/testbed/id'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, type ReactNode, type SyntheticEvent } from 'react'
import { useSearchParams } from 'react-router'
import { useHolder, useLive } from '../api/live.tsx'
import { useLabs } from '../api/queries.ts'
import { Card, Empty } from '../components/card.tsx'
import { Skeleton } from '../components/controls.tsx'
import { FetchProblem } from '../components/problem-notice.tsx'
import { OpinionChoice, ProfileChoice } from '../experiment/index.ts'
import { RestoreOffer, StartRefused } from './bench-notices.tsx'
import { BenchRun } from './bench-run.tsx'
import classes from './bench.module.css'
import { EarlierRuns } from './earlier-runs.tsx'
import { BenchForm } from './form/bench-form.tsx'
import { ProfileBar } from './form/profile-bar.tsx'
import { TestbedField } from './form/testbed-field.tsx'
import { RunButtons } from './run-buttons.tsx'
import { useBench } from './use-bench.ts'
import { useDraft } from './use-draft.ts'

interface BenchProps {
  run: RunState | null
  loading?: boolean
  problem?: ReactNode
}

/** The form, with a run next to it. */
export function Bench({ run, loading = false, problem = null }: BenchProps) {
  const [, setSearch] = useSearchParams()
  const labs = useLabs()
  const offered = labs.data?.testbeds.filter((id) => !propertiesOf(id).isRecorded) ?? []
  const draft = useDraft(run, offered)
  const { chosen, testbed, view, plan, opinion } = draft
  const bench = useBench(testbed, run, (id) => setSearch({ run: id }))
  useFreshTestbed(testbed)
  const running = run !== null && isOpen(run) ? run : null
  const start = (): void => {
    if (plan !== null) bench.start.mutate({ plan, opinion, profile: draft.profile })
  }
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault()
    start()
  }
  return (
    <div className={classes.page}>
      <div className={`${classes.head} row baseline`}>
        <h1>{i18n.t('Bench')}</h1>
        <p className="muted">{i18n.t('Set up your own experiment, run it, and see what the statistics support.')}</p>
      </div>
      <div className={classes.form}>
        <Card>
          <form className="stack apart" onSubmit={submit} aria-label={i18n.t('Experiment')}>
            <ProfileBar plan={plan} fromRun={draft.fromRun} onLoad={draft.change} />
            {labs.error !== null && <FetchProblem error={labs.error} retry={() => void labs.refetch()} />}
            <TestbedField ids={[...new Set([...offered, chosen])]} value={chosen} onChange={draft.pick} />
            <BenchForm choice={draft.choice} onChange={draft.change} testbed={view} issues={draft.issues} />
            <OpinionChoice
              testbed={testbed}
              plan={plan}
              lab={{ needs: [], optional: [] }}
              fit={draft.opinionFit}
              checked={opinion}
              onChange={draft.askOpinion}
              disabled={false}
            />
            <ProfileChoice testbed={testbed} checked={draft.profile} onChange={draft.askProfile} disabled={false} />
            <RunButtons draft={draft} bench={bench} running={running} />
          </form>
        </Card>
      </div>
      <div className={`${classes.result} stack apart`}>
        {bench.cancel.error !== null && running !== null && (
          <FetchProblem error={bench.cancel.error} retry={() => bench.cancel.mutate(running.id)} />
        )}
        <StartRefused bench={bench} holder={running === null ? bench.holder : null} retry={start} />
        {view !== null && <RestoreOffer testbed={view} bench={bench} />}
        {problem}
        {loading && <Skeleton height={420} />}
        {run !== null && <BenchRun run={run} />}
        {run === null && problem === null && !loading && (
          <Empty title={i18n.t('Nothing measured here yet')}>
            {i18n.t('Choose what to measure and press Run. The form starts with a short experiment.')}
          </Empty>
        )}
        <EarlierRuns shown={run?.id ?? null} />
      </div>
    </div>
  )
}

/** Reads the testbed again after each run: its state and the settings to restore can have changed. */
function useFreshTestbed(testbed: TestbedId): void {
  const client = useQueryClient()
  const turns = useLive((snapshot) => snapshot.turns)
  const busy = useHolder(testbed) !== null
  useEffect(() => {
    if (turns > 0 && !busy) void client.invalidateQueries({ queryKey: ['testbed', testbed] })
  }, [turns, busy, client, testbed])
}
