/** The meaning of a rehearsal for the talk, in sentences. Pure. */
import type { Rehearsal, RehearsedEffect } from '../wire/rehearsal.ts'
import { LIKELY } from './effects.ts'

/** As likely as not. */
const UNCERTAIN = 0.5

/** `2 min`, `40 s`. */
function time(seconds: number): string {
  return seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}

/** A rehearsed comparison in a sentence. */
export function effectWords({ label, row, plannedRuns, power, neededRuns }: RehearsedEffect): string {
  const change = `${row.changePercent >= 0 ? '+' : '−'}${Math.abs(row.changePercent).toFixed(1)} %`
  if (power === null) return `${label}: ${change} here; too few repeats to judge whether a talk will show it.`
  const chance = `in ${percent(power)} of talks with ${plannedRuns} repeats of each`
  if (power >= LIKELY) return `${label}: ${change} here, and it shows ${chance}.`
  const more = neededRuns === null ? 'More repeats will hardly help.' : `Plan ${neededRuns} repeats.`
  return power >= UNCERTAIN
    ? `${label}: ${change} here, but it shows only ${chance}. ${more}`
    : `${label}: ${change} here, too small or too noisy to rely on: it shows ${chance}. ${more}`
}

function stateWords({ state, failed, steps }: Omit<Rehearsal, 'says'>): string {
  switch (state) {
    case 'running':
      return `Rehearsing: ${steps.passed} of ${steps.total} steps are done.`
    case 'cancelled':
      return `The rehearsal was cancelled after ${steps.passed} of ${steps.total} steps.`
    case 'failed':
      return failed === null
        ? 'The rehearsal did not finish.'
        : `“${failed.title}” will not work here: ${failed.message}`
    case 'ready':
      return `All ${steps.total} steps work here.`
  }
}

/** The main points, for the speaker. @param fallsBack where the recording to fall back on is; null for none */
export function rehearsalWords(of: Omit<Rehearsal, 'says'>, fallsBack: string | null): string[] {
  const { preflight, expected, effects } = of
  const warned = preflight.filter(({ status }) => status === 'warning')
  const shown = effects.filter(({ power }) => power !== null && power >= LIKELY).length
  return [
    stateWords(of),
    ...warned.map(({ title, seen }) => `Preflight warns: ${title}: ${seen}`),
    ...(expected === null
      ? []
      : [
          `The talk takes about ${time(expected.talk)}, of which ${time(expected.actions)} are measuring and switching. Autopilot takes ${time(expected.autopilot)}.`,
        ]),
    ...(effects.length === 1 || effects.length === 0
      ? effects.map(effectWords)
      : [`${shown} of ${effects.length} comparisons show a difference in most talks, with the planned repeats.`]),
    ...(fallsBack === null ? [] : [`If something fails during the talk, play the recording ${fallsBack}.`]),
  ]
}
