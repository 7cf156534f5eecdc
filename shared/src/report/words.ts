/** Names of verdicts and testbeds, and formats of changes and times, in reports. */
import type { ComparedRow, Comparison } from '../compare/comparison.ts'
import { controlWords, EXPLORATORY } from '../compare/control.ts'
import { tallySentence } from '../compare/opinion.ts'
import { verdictName } from '../compare/words.ts'
import type { TestbedKind } from '../testbed/testbed.ts'
import type { ReportComparison } from './model.ts'

/** A row that only explains a result has no verdict; the main metric's is the verdict. */
export function rowVerdict({ role, verdict }: ComparedRow): string {
  if (role === 'explains') return '–'
  return role === 'exploratory' ? `exploratory: ${verdictName[verdict]}` : verdictName[verdict]
}

/** How the comparison was judged, and the role of its other metrics; empty if there is nothing to say. */
export function judgedWords({ control, rows }: Comparison): string {
  const other = rows.some(({ role }) => role === 'exploratory') ? EXPLORATORY : null
  return [controlWords(control), other].filter((one) => one !== null).join(' ')
}

/** `9 % faster here (4 to 15); 11.8 % fewer instructions (11.2 to 12.4). Both say the same.`; empty without an opinion. */
export function opinionWords({ opinion }: Pick<ReportComparison, 'opinion'>): string {
  return opinion === undefined ? '' : `Second opinion: ${opinion.sentence}. ${opinion.meaning}`
}

/** Whether the second opinions on an experiment agree with it; empty where there are not several. */
export function opinionSummary(comparisons: readonly Pick<ReportComparison, 'opinion'>[]): string {
  return tallySentence(comparisons.flatMap(({ opinion }) => opinion ?? []))
}

/** `5 repeats, 1 warm-up excluded`. */
export function countsOf({ runs, warmups }: Comparison['off']): string {
  const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`
  return warmups === 0 ? counted(runs, 'repeat') : `${counted(runs, 'repeat')}, ${counted(warmups, 'warm-up')} excluded`
}

export const testbedWords: Readonly<Record<TestbedKind, string>> = {
  netns: 'this machine, in network namespaces',
  counted: 'the counted machine, a virtual one whose clock counts instructions',
  emulated: 'an emulated computer in a browser tab, whose clock counts instructions',
  ssh: 'a host over ssh',
  kubernetes: 'a Kubernetes cluster',
  recording: 'a recording, played back',
}

/** `2026-11-21 14:03:22 UTC`. */
export function formatInstant(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}
