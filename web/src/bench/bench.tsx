import { chosenFor, testbedFor } from '@expresslane/shared/features/topology'
import { opinionPlan } from '@expresslane/shared/labs/on-testbed'
import { fits, repeatsThatFit, secondsOfPlan, type Fit } from '@expresslane/shared/labs/planned'
import { clockOf } from '@expresslane/shared/measure/clock'
import type { ExperimentPlan } from '@expresslane/shared/measure/experiment'
import { isOpen, type RunState } from '@expresslane/shared/run/run-state'
import { opinionOn, propertiesOf, thisMachine, type TestbedId } from '@expresslane/shared/testbed/id'
import { Button, Skeleton } from '../components/controls.tsx'
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode, type SyntheticEvent } from 'react'
import { useSearchParams } from 'react-router'
import { useLive } from '../api/live.tsx'
import { useLabs, useMostSeconds, useTestbed } from '../api/queries.ts'
import { Card, Empty } from '../components/card.tsx'
import { PlanFit } from '../components/plan-fit.tsx'
import { FetchProblem } from '../components/problem-notice.tsx'
import { estimateWords, OpinionChoice } from '../experiment/index.ts'
import { isUsable } from '../words/testbeds.ts'
import { RestoreOffer, StartRefused } from './bench-notices.tsx'
import { BenchRun } from './bench-run.tsx'
import classes from './bench.module.css'
import { EarlierRuns } from './earlier-runs.tsx'
import { BenchForm } from './form/bench-form.tsx'
import forms from './form/bench-form.module.css'
import { choiceOf, draftOf, type BenchChoice } from './form/choice.ts'
import { ProfileBar } from './form/profile-bar.tsx'
import { firstPreset } from './form/presets.ts'
import { TestbedField } from './form/testbed-field.tsx'
import { useBench } from './use-bench.ts'

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
  const [picked, setPicked] = useState<TestbedId | null>(null)
  const [changed, setChanged] = useState<BenchChoice | null>(null)
  const [asked, setAsked] = useState<boolean | null>(null)
  const shownPlan = run?.params.plan ?? run?.plan ?? null
  const choice = changed ?? (shownPlan === null ? firstPreset().choice : choiceOf(shownPlan))
  const chosen = chosenFor(picked ?? run?.testbed ?? offered[0] ?? thisMachine)
  const testbed = testbedFor(choice.feature, chosen)
  const view = useTestbed(testbed).data ?? null
  const draft = draftOf(choice, view)
  const most = useMostSeconds()
  const fit = fitIn(draft.plan, most)
  const opinionFit = fitIn(draft.plan === null ? null : opinionPlan(draft.plan), most)
  const wanted = (asked ?? run?.params.opinion ?? false) && opinionOn(testbed) !== null
  const opinion = wanted && (opinionFit === null || fits(opinionFit))
  const bench = useBench(testbed, run, (id) => setSearch({ run: id }))
  useFreshTestbed(testbed)
  const { holder, start } = bench
  const running = run !== null && isOpen(run)
  const isTooLong = fit !== null && !fits(fit)
  const ready = draft.plan !== null && !isTooLong && !running && !start.isPending && view !== null && isUsable(view)
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault()
    if (ready && draft.plan !== null) start.mutate({ plan: draft.plan, opinion })
  }
  return (
    <div className={classes.page}>
      <div className={`${classes.head} row baseline`}>
        <h1>Bench</h1>
        <p className="muted">Set up your own experiment, run it, and see what the statistics support.</p>
      </div>
      <div className={classes.form}>
        <Card>
          <form className="stack apart" onSubmit={submit} aria-label="Experiment">
            <ProfileBar plan={draft.plan} fromRun={shownPlan !== null} onLoad={setChanged} />
            {labs.error !== null && <FetchProblem error={labs.error} retry={() => void labs.refetch()} />}
            <TestbedField ids={[...new Set([...offered, chosen])]} value={chosen} onChange={setPicked} />
            <BenchForm choice={choice} onChange={setChanged} testbed={view} issues={draft.issues} />
            <OpinionChoice
              testbed={testbed}
              plan={draft.plan}
              lab={{ needs: [], optional: [] }}
              fit={opinionFit}
              checked={opinion}
              onChange={setAsked}
              disabled={false}
            />
            <div className={`${forms.run} stack`}>
              <p className="numbers" role="status">
                {draft.plan === null
                  ? 'Correct the fields above first.'
                  : estimateWords(draft.plan, view?.capabilities.includes('quick-switch') ?? true, clockOf(view))}
              </p>
              {draft.plan !== null && fit !== null && (
                <PlanFit
                  fit={fit}
                  clock={clockOf(view)}
                  repeats={draft.plan.design.budget === null ? repeatsThatFit(draft.plan, fit.allowed) : null}
                />
              )}
              <div className="row">
                <Button
                  type="submit"
                  leftSection={<IconPlayerPlay size={18} aria-hidden />}
                  disabled={!ready}
                  loading={start.isPending}
                >
                  Run
                </Button>
                {running && (
                  <Button
                    variant="default"
                    leftSection={<IconPlayerStop size={18} aria-hidden />}
                    disabled={bench.cancel.isPending || (bench.cancel.isSuccess && bench.cancel.variables === run.id)}
                    onClick={() => bench.cancel.mutate(run.id)}
                  >
                    Cancel
                  </Button>
                )}
              </div>
            </div>
          </form>
        </Card>
      </div>
      <div className={`${classes.result} stack apart`}>
        {bench.cancel.error !== null && running && (
          <FetchProblem error={bench.cancel.error} retry={() => bench.cancel.mutate(run.id)} />
        )}
        <StartRefused
          bench={bench}
          holder={running ? null : holder}
          retry={() => {
            if (draft.plan !== null) start.mutate({ plan: draft.plan, opinion })
          }}
        />
        {view !== null && <RestoreOffer testbed={view} bench={bench} />}
        {problem}
        {loading && <Skeleton height={420} />}
        {run !== null && <BenchRun run={run} />}
        {run === null && problem === null && !loading && (
          <Empty title="Nothing measured here yet">
            Choose what to measure and press Run. The form starts with a short experiment.
          </Empty>
        )}
        <EarlierRuns shown={run?.id ?? null} />
      </div>
    </div>
  )
}

/** What a plan measures, and what it can; null if nothing limits it. */
function fitIn(plan: ExperimentPlan | null, most: number | null): Fit | null {
  return plan === null || most === null ? null : { planned: secondsOfPlan(plan), allowed: most }
}

/** Reads the testbed again after each run: its state and the settings to restore can have changed. */
function useFreshTestbed(testbed: TestbedId): void {
  const client = useQueryClient()
  const turns = useLive((snapshot) => snapshot.turns)
  const busy = useLive((snapshot) => (snapshot.holders.get(testbed) ?? null) !== null)
  useEffect(() => {
    if (turns > 0 && !busy) void client.invalidateQueries({ queryKey: ['testbed', testbed] })
  }, [turns, busy, client, testbed])
}
