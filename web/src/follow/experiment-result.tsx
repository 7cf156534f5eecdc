import { i18n } from '@expresslane/shared/base/language'
import { publishedLines } from '@expresslane/shared/compare/published'
import { caseScale } from '@expresslane/shared/compare/case-scale'
import type { CaseComparison } from '@expresslane/shared/compare/comparison'
import { familyWords } from '@expresslane/shared/compare/control'
import { metricOf } from '@expresslane/shared/features/metrics'
import type { Lab } from '@expresslane/shared/labs/lab'
import { formatChange } from '@expresslane/shared/base/units'
import { resultOfRun, type Result } from '@expresslane/shared/run/result'
import type { RunState } from '@expresslane/shared/run/run-state'
import { useMemo, type ReactNode } from 'react'
import { VerdictHeadline, VerdictMark } from '../compare/index.ts'
import { asksOpinion, CaseChart, MainLines } from '../experiment/index.ts'
import { formatInterval, intervalName } from '../words/comparison.ts'
import { FollowedOpinion } from './followed-opinion.tsx'
import { useFollowedOpinion } from './use-opinion.ts'

interface ExperimentResultProps {
  /** Another run has another `key`. */
  run: RunState
  /** The runs of the session. */
  runs: readonly RunState[]
  lab: Lab
}

/** The verdicts and the charts of the comparisons so far; nothing before the first comparison. */
export function ExperimentResult({ run, runs, lab }: ExperimentResultProps) {
  const result = useMemo(() => resultOfRun(run, runs, lab.arms), [run, runs, lab.arms])
  const asked = asksOpinion(run)
  const opinion = useFollowedOpinion(run.id, asked)
  if (result === null) return null
  const beside =
    !asked || run.plan === null || opinion === null ? null : (
      <FollowedOpinion run={run} plan={run.plan} opinion={opinion} />
    )
  return <Compared result={result} opinion={beside} published={publishedLines(lab.feature, result)} />
}

interface ComparedProps {
  result: Result
  /** Beside the verdict; null for none. */
  opinion: ReactNode
  /** The same changes as others published them. */
  published: readonly string[]
}

function Compared({ result, opinion, published }: ComparedProps) {
  const { plan, comparisons } = result
  const taken = useMemo(() => result.measurements.filter(({ warmup }) => !warmup), [result.measurements])
  const [only] = comparisons
  const judged = familyWords(comparisons.map(({ comparison }) => comparison))
  return (
    <div className="stack apart container">
      <h3 className="hidden">{i18n.t('The experiment')}</h3>
      {only !== undefined && comparisons.length === 1 ? (
        <VerdictHeadline comparison={only.comparison} caution={null} />
      ) : (
        <Verdicts result={result} />
      )}
      {judged !== null && <p className="muted">{judged}</p>}
      {opinion}
      <CaseLines result={result}>
        {plan.cases.map((one) => (
          <CaseChart key={one.id} result={result} taken={taken} of={one} />
        ))}
      </CaseLines>
      {taken.length > 0 && (
        <p className="muted">
          {i18n.t(
            'Bars show medians, dots show single repeats, and brackets show the 95 % interval of the difference from “{baseline}”.',
            { baseline: plan.arms[0]?.label },
          )}
        </p>
      )}
      {published.length > 0 && (
        <details>
          <summary>{i18n.t('Published by others')}</summary>
          <ul>
            {published.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

/** Lines over cases that differ by one number, with the bars of each case folded away; else only the bars. */
function CaseLines({ result, children: bars }: { result: Result; children: ReactNode }) {
  if (caseScale(result.plan) === null) return bars
  return (
    <>
      <MainLines result={result} fills={false} />
      <details>
        <summary>{i18n.t('Show every case as bars')}</summary>
        <div className="stack apart container">{bars}</div>
      </details>
    </>
  )
}

function labelOf(list: readonly { id: string; label: string }[], id: string | null): string {
  return list.find((one) => one.id === id)?.label ?? ''
}

/** Every comparison of an experiment, one below the other. */
function Verdicts({ result: { plan, comparisons } }: { result: Result }) {
  if (comparisons.length === 0) return null
  return (
    <ul
      role="list"
      aria-label={i18n.t('Compared with {baseline}', { baseline: plan.arms[0]?.label })}
      className="stack"
    >
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
      <p className="strong">
        {[labelOf(plan.cases, caseId), labelOf(plan.arms, arm)].filter((name) => name !== '').join(', ')}
      </p>
      <p className="row tight numbers">
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
