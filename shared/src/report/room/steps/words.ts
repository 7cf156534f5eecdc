/** Sentences about where a room got stuck, for the board and the report. */
import type { LabFigures, StepFigures } from '../../../wire/board.ts'

/** `45 s`, or `2 min 10 s`. */
export function secondsWords(seconds: number): string {
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  const rest = whole % 60
  return `${Math.floor(whole / 60)} min${rest === 0 ? '' : ` ${rest} s`}`
}

/** The median time to pass; `over 5 min` if more than half of the learners have not passed yet; null without learners. */
export function medianWords({ seconds: { median, longest } }: Pick<StepFigures, 'seconds'>): string | null {
  if (median !== null) return secondsWords(median)
  return longest === null ? null : `over ${secondsWords(longest)}`
}

/** `3.1`; `over 3.1` if more than half of the learners have not passed yet; null before it is known. */
export function factorWords({ factor, seconds }: Pick<StepFigures, 'factor' | 'seconds'>): string | null {
  return factor === null ? null : `${seconds.median === null ? 'over ' : ''}${factor.toFixed(1)}`
}

function reasonsOf(step: StepFigures): string {
  const { standsOut, reached, failures, solves, hands, left } = step
  const time = `it takes ${factorWords(step) ?? '–'} times as long as expected (median ${medianWords(step) ?? '–'})`
  const trouble = `more of its ${reached} learners are in trouble than at other steps (failed runs: ${failures}, solves: ${solves}, hands up: ${hands}, left: ${left})`
  return standsOut.map((reason) => (reason === 'time' ? time : trouble)).join('; ')
}

/** A sentence for each step that stands out; one that says so if none does. */
export function stuckWords({ steps }: Pick<LabFigures, 'steps'>, nameOf: (stepId: string) => string): string[] {
  const found = steps.filter(({ standsOut }) => standsOut.length > 0)
  if (found.length === 0) return ['No step stands out.']
  return found.map((step) => `The room is stuck at ${nameOf(step.stepId)}: ${reasonsOf(step)}.`)
}
