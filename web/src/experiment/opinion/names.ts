/** Names of what second opinions are about. Pure. */
import type { Opinion } from '@expresslane/shared/compare/opinion'
import type { ExperimentPlan } from '@expresslane/shared/measure/experiment'

/** The label of an arm or a case; its id where the plan lacks it. */
function labelIn(of: readonly { id: string; label: string }[], id: string | null): string {
  return of.find((one) => one.id === id)?.label ?? id ?? ''
}

/** `80 kB: XDP`; only the arm where there is one case. */
export function nameOfOpinion({ arms, cases }: ExperimentPlan, { caseId, arm }: Opinion): string {
  const of = labelIn(arms, arm)
  return cases.length > 1 ? `${labelIn(cases, caseId)}: ${of}` : of
}

/** A number stays on the line of its percent sign. */
export function unbroken(sentence: string): string {
  return sentence.replaceAll(' %', '\u{a0}%')
}
