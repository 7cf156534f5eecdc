import type { ExperimentPlan } from '@expresslane/shared/measure/experiment'
import type { RunState } from '@expresslane/shared/run/run-state'
import { useState } from 'react'
import { ComparisonView } from '../compare/index.ts'
import { ArmCharts } from './arm-charts.tsx'
import { ComparisonList, type Chosen } from './comparison-list.tsx'
import classes from './experiment-view.module.css'
import { ExperimentProgress } from './progress/experiment-progress.tsx'
import { experimentKind } from './kind.ts'
import { ProgressGrid } from './progress/progress-grid.tsx'
import { SweepView } from './sweep-view.tsx'

/** An experiment as it goes on and when it is done: how far it is, its arms, and every comparison. */
export function ExperimentView({ run }: { run: RunState }) {
  const { plan } = run
  if (plan === null) return null
  const thrownAway = run.repeats.filter(({ warmup, measurement }) => warmup && measurement !== null).length
  const measured = run.repeats.filter(({ warmup, measurement }) => !warmup && measurement !== null).length
  return (
    <section aria-labelledby="experiment" className={classes.view}>
      <h3 id="experiment" className="hidden">
        The experiment
      </h3>
      {run.state === 'running' && <ExperimentProgress plan={plan} run={run} />}
      <Estimates plan={plan} run={run} />
      {run.state !== 'running' && (
        <details>
          <summary>
            {measured} runs measured, {thrownAway === 0 ? 'none' : thrownAway} thrown away to warm up
          </summary>
          <ProgressGrid plan={plan} run={run} />
        </details>
      )}
    </section>
  )
}

/** What is known of the arms by now; the whole of it once the run has ended. */
function Estimates({ plan, run }: { plan: ExperimentPlan; run: RunState }) {
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const kind = experimentKind(plan)
  const { comparisons } = run
  const [only] = comparisons
  const running = run.state === 'running'
  if (kind === 'pair' && !running) {
    // Cut short before anything could be compared: what was measured is still shown.
    return only === undefined ? (
      <ArmCharts plan={plan} run={run} />
    ) : (
      <ComparisonView comparison={only.comparison} family={plan.cases[0]?.family ?? null} />
    )
  }
  const choose = (next: Chosen): void =>
    setChosen(next.caseId === chosen?.caseId && next.arm === chosen.arm ? null : next)
  const list = (
    <ComparisonList plan={plan} comparisons={comparisons} chosen={chosen} onChoose={choose} running={running} />
  )
  if (kind !== 'sweep') {
    return (
      <>
        <ArmCharts plan={plan} run={run} />
        {list}
      </>
    )
  }
  return (
    <SweepView plan={plan} comparisons={comparisons} chosen={chosen} onChoose={choose}>
      {list}
    </SweepView>
  )
}
