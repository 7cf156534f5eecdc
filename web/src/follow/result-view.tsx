import type { CaseComparison } from '@expresslane/shared/compare/comparison'
import { familyWords } from '@expresslane/shared/compare/control'
import { metricOf } from '@expresslane/shared/features/metrics'
import type { Lab, Step } from '@expresslane/shared/labs/lab'
import { formatChange } from '@expresslane/shared/measure/units'
import { resultOfRun, type Result } from '@expresslane/shared/run/result'
import type { RunState } from '@expresslane/shared/run/run-state'
import { lazy, Suspense, useMemo } from 'react'
import { Card } from '../components/card.tsx'
import { RecordedContext } from '../components/prose/recorded.ts'
import { kindOf } from '@expresslane/shared/testbed/id'
import { CheckList } from '../components/checks/check-list.tsx'
import { VerdictHeadline, VerdictMark } from '../compare/index.ts'
import { CaseChart } from '../experiment/index.ts'
import { CapturePieces } from '../features/index.ts'
import { CountedNote, EndNotice, OutcomeView, OutputLog, PlacementView } from '../result/index.ts'
import { armLook } from '../theme.ts'
import { formatInterval, intervalName } from '../words/comparison.ts'
import classes from './follow.module.css'
import { MeasureView } from './measure-view.tsx'

/** Loaded on demand: few experiments have so many cases. */
const CaseLines = lazy(async () => ({ default: (await import('./case-lines.tsx')).CaseLines }))

interface ResultViewProps {
  run: RunState
  step: Step
  lab: Lab
  /** The runs of the session. */
  runs: readonly RunState[]
}

/** All results of a run so far, in the charts that a phone can show. */
export function ResultView({ run, step, lab, runs }: ResultViewProps) {
  const result = useMemo(
    () => (run.plan === null && run.comparisons.length === 0 ? null : resultOfRun(run, runs, lab.arms)),
    [run, runs, lab.arms],
  )
  const measures = run.plan === null && run.repeats.length > 0
  const { checks, placement, capture } = run
  const parts = checks.length > 0 || placement !== null || capture !== null || result !== null || measures
  return (
    <RecordedContext value={kindOf(run.testbed) === 'recording'}>
      <section aria-label="Result" className={classes.result}>
        <EndNotice run={run} />
        {parts && (
          <Card>
            <div className={classes.parts}>
              {checks.length > 0 && <CheckList checks={checks} />}
              {placement !== null && !measures && result === null && capture === null && (
                <PlacementView placement={placement} />
              )}
              {result !== null && <ExperimentResult result={result} />}
              {measures && <MeasureView run={run} lab={lab} runs={runs} />}
              <CountedNote runs={[run]} />
              {capture !== null && (
                <section aria-label="Captured packets" data-hue={armLook(capture.arm).hue}>
                  <CapturePieces feature={lab.feature} capture={capture} />
                </section>
              )}
            </div>
          </Card>
        )}
        {run.outcome !== null && <OutcomeView outcome={run.outcome} hint={step.hint} />}
        <OutputLog run={run} />
      </section>
    </RecordedContext>
  )
}

function ExperimentResult({ result }: { result: Result }) {
  const { plan, comparisons } = result
  const taken = useMemo(() => result.measurements.filter(({ warmup }) => !warmup), [result.measurements])
  const [only] = comparisons
  const bars = plan.cases.map((one) => <CaseChart key={one.id} result={result} taken={taken} of={one} />)
  const judged = familyWords(comparisons.map(({ comparison }) => comparison))
  return (
    <div className={classes.experiment}>
      {only !== undefined && comparisons.length === 1 ? (
        <VerdictHeadline comparison={only.comparison} caution={null} />
      ) : (
        <Verdicts result={result} />
      )}
      {judged !== null && <p className={classes.muted}>{judged}</p>}
      {plan.cases.length < 3 ? (
        bars
      ) : (
        <Suspense fallback={bars}>
          <CaseLines result={result}>{bars}</CaseLines>
        </Suspense>
      )}
      {taken.length > 0 && (
        <p className={classes.muted}>
          Bars show medians, dots show single repeats, and brackets show the 95 % interval of the difference from “
          {plan.arms[0]?.label}”.
        </p>
      )}
    </div>
  )
}

function labelOf(list: readonly { id: string; label: string }[], id: string | null): string {
  return list.find((one) => one.id === id)?.label ?? ''
}

/** Every comparison of an experiment, one below the other. */
function Verdicts({ result: { plan, comparisons } }: { result: Result }) {
  if (comparisons.length === 0) return null
  return (
    <ul role="list" aria-label={`Compared with ${plan.arms[0]?.label ?? 'the first arm'}`} className={classes.verdicts}>
      {comparisons.map((one) => (
        <VerdictLine key={`${one.caseId} ${one.arm}`} of={one} plan={plan} />
      ))}
    </ul>
  )
}

function VerdictLine({ of: { caseId, arm, comparison }, plan }: { of: CaseComparison; plan: Result['plan'] }) {
  const [row] = comparison.rows
  if (row === undefined) return null
  const interval = formatInterval(row)
  return (
    <li>
      <p className={classes.verdictName}>
        {[labelOf(plan.cases, caseId), labelOf(plan.arms, arm)].filter((name) => name !== '').join(', ')}
      </p>
      <p className={classes.verdictLine}>
        <VerdictMark verdict={row.verdict} />
        <strong>{formatChange(row.changePercent)}</strong>
        <span>
          {metricOf(row.metric).noun}
          {interval !== null && `, ${intervalName(comparison)} ${interval}`}
        </span>
      </p>
    </li>
  )
}
