import { i18n } from '@expresslane/shared/base/language'
import { publishedBeside, publishedNotes } from '@expresslane/shared/compare/published'
import { caseScale } from '@expresslane/shared/compare/case-scale'
import type { ArmPlan } from '@expresslane/shared/measure/experiment'
import { discardedWords } from '@expresslane/shared/run/discarded'
import { resultOfRun, type Result } from '@expresslane/shared/run/result'
import type { RunState } from '@expresslane/shared/run/run-state'
import { useMemo, type ReactNode } from 'react'
import { CpusLine } from '../components/run/cpus-line.tsx'
import { useChosen } from '../components/use-chosen.ts'
import { ComparisonView, Published } from '../compare/index.ts'
import { ArmCharts } from './arm-charts.tsx'
import { ComparisonList } from './comparison-list.tsx'
import { ExperimentProgress } from './progress/experiment-progress.tsx'
import { experimentKind } from './kind.ts'
import { LeftOut } from './left-out.tsx'
import { ProgressGrid } from './progress/progress-grid.tsx'
import { asksOpinion } from './opinion/names.ts'
import { OpinionView } from './opinion/opinion-view.tsx'
import { Why } from './profile/why.tsx'
import { ScaleView } from './scale-view.tsx'
import { SweepView } from './sweep-view.tsx'

interface ExperimentViewProps {
  run: RunState
  /** The runs of the session: this run can compare measurements of earlier steps. */
  runs: readonly RunState[]
  /** The lab's arms. */
  arms: readonly ArmPlan[]
  /** The id of the lab's feature; null if it is unknown. */
  feature: string | null
}

/** An experiment, running or ended: progress, arms and all comparisons. */
export function ExperimentView({ run, runs, arms, feature }: ExperimentViewProps) {
  const result = useMemo(() => resultOfRun(run, runs, arms), [run, runs, arms])
  const { plan } = run
  const [only] = run.comparisons
  if (result === null) {
    // A single run, without the steps whose measurements it compares.
    return only === undefined ? null : <ComparisonView comparison={only.comparison} />
  }
  return (
    <section aria-labelledby="experiment" className="stack apart container">
      <h3 id="experiment" className="hidden">
        {i18n.t('The experiment')}
      </h3>
      {plan !== null && run.state === 'running' && <ExperimentProgress plan={plan} run={run} />}
      <LeftOut arms={run.leftOut} />
      <Estimates
        result={result}
        feature={feature}
        running={run.state === 'running'}
        opinion={plan !== null && asksOpinion(run) ? <OpinionView run={run} plan={plan} /> : null}
      />
      {run.state !== 'running' && <Why result={result} />}
      <Discarded result={result} />
      {plan !== null && run.state !== 'running' && result.measurements.length > 0 && <AllRuns plan={plan} run={run} />}
      <CpusLine run={run} />
    </section>
  )
}

/** How many runs were discarded, and by which rules; nothing if the tool has none. */
function Discarded({ result: { measurements } }: { result: Result }) {
  const words = useMemo(() => discardedWords(measurements.filter(({ warmup }) => !warmup)), [measurements])
  return words === null ? null : <p className="muted readable">{words}</p>
}

function AllRuns({ plan, run }: { plan: Result['plan']; run: RunState }) {
  const taken = run.repeats.filter(({ measurement }) => measurement !== null)
  const warmups = taken.filter(({ warmup }) => warmup).length
  return (
    <details>
      <summary>
        {i18n.t('{measured} measurements, {warmups, plural, =0 {no warm-ups} one {# warm-up} other {# warm-ups}}', {
          measured: taken.length - warmups,
          warmups,
        })}
      </summary>
      <ProgressGrid plan={plan} run={run} />
    </details>
  )
}

interface EstimatesProps {
  result: Result
  feature: string | null
  running: boolean
  /** Beside the verdict; null for none. */
  opinion: ReactNode
}

/** The results so far; the final results when the run has ended. */
function Estimates({ result, feature, running, opinion }: EstimatesProps) {
  const [chosen, setChosen] = useChosen('cell', 'dot')
  const { plan, comparisons, measurements } = result
  const kind = experimentKind(plan)
  const published = <Published beside={publishedBeside(feature, result)} notes={publishedNotes(feature, plan)} />
  const [only] = comparisons
  if (kind === 'pair' && !running) {
    // A run that ended before a comparison was possible still shows its measurements.
    return only === undefined ? (
      <ArmCharts result={result} />
    ) : (
      <ComparisonView comparison={only.comparison} beside={opinion} published={published} />
    )
  }
  const choose = (id: string): void => setChosen(id === chosen ? null : id)
  const list = (
    <>
      <ComparisonList
        plan={plan}
        comparisons={comparisons}
        chosen={chosen}
        onChoose={choose}
        running={running}
        note={kind !== 'sweep'}
      />
      {opinion}
    </>
  )
  if (kind !== 'sweep') {
    return (
      <>
        <ScaleView result={result} />
        {caseScale(plan) === null || measurements.length === 0 ? (
          <ArmCharts result={result} />
        ) : (
          <details>
            <summary>{i18n.t('Show every case as bars')}</summary>
            <ArmCharts result={result} />
          </details>
        )}
        {list}
        {!running && published}
      </>
    )
  }
  return (
    <SweepView plan={plan} comparisons={comparisons} chosen={chosen} onChoose={choose}>
      {list}
    </SweepView>
  )
}
