/** The experiments that get a second opinion, and the names of its comparisons. Pure. */
import type { Opinion } from '@expresslane/shared/compare/opinion'
import type { ExperimentPlan } from '@expresslane/shared/measure/experiment'
import type { RunState } from '@expresslane/shared/run/run-state'
import { opinionOn } from '@expresslane/shared/testbed/id'

/** True if the counted machine measures the same plan after this experiment. */
export function asksOpinion({ params, state, testbed }: RunState): boolean {
  return params.opinion === true && state === 'completed' && opinionOn(testbed) !== null
}

/** The label of an arm or a case; its id where the plan lacks it. */
export function labelIn(of: readonly { id: string; label: string }[], id: string | null): string {
  return of.find((one) => one.id === id)?.label ?? id ?? ''
}

/** `80 kB: XDP`; only the arm where there is one case. */
export function nameOfOpinion(
  { arms, cases }: ExperimentPlan,
  { caseId, arm }: Pick<Opinion, 'caseId' | 'arm'>,
): string {
  const of = labelIn(arms, arm)
  return cases.length > 1 ? `${labelIn(cases, caseId)}: ${of}` : of
}

/** A number stays on the line of its percent sign. */
export function unbroken(sentence: string): string {
  return sentence.replaceAll(' %', '\u{a0}%')
}
