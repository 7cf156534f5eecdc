/** The meaning of a rehearsal for the talk, in sentences. Pure. */
import { i18n } from '../base/language.ts'
import { formatFixed } from '../base/units.ts'
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
  const change = `${row.changePercent >= 0 ? '+' : '−'}${formatFixed(Math.abs(row.changePercent), 1)} %`
  if (power === null)
    return i18n.t('{label}: {change} here; too few repeats to judge whether a talk will show it.', { label, change })
  const shows = { label, change, power: percent(power), repeats: plannedRuns }
  if (power >= LIKELY) {
    return i18n.t('{label}: {change} here, and it shows in {power} of talks with {repeats} repeats of each.', shows)
  }
  const chance =
    power >= UNCERTAIN
      ? i18n.t('{label}: {change} here, but it shows only in {power} of talks with {repeats} repeats of each.', shows)
      : i18n.t(
          '{label}: {change} here, too small or too noisy to rely on: it shows in {power} of talks with {repeats} repeats of each.',
          shows,
        )
  const more =
    neededRuns === null
      ? i18n.t('More repeats will hardly help.')
      : i18n.t('Plan {repeats} repeats.', { repeats: neededRuns })
  return `${chance} ${more}`
}

function stateWords({ state, failed, steps }: Omit<Rehearsal, 'says'>): string {
  switch (state) {
    case 'running':
      return i18n.t('Rehearsing: {passed} of {total} steps are done.', { passed: steps.passed, total: steps.total })
    case 'cancelled':
      return i18n.t('The rehearsal was cancelled after {passed} of {total} steps.', {
        passed: steps.passed,
        total: steps.total,
      })
    case 'failed':
      return failed === null
        ? i18n.t('The rehearsal did not finish.')
        : i18n.t('“{title}” will not work here: {message}', { title: failed.title, message: failed.message })
    case 'ready':
      return i18n.t('All {total} steps work here.', { total: steps.total })
  }
}

/** The main points, for the speaker. @param fallsBack where the recording to fall back on is; null for none */
export function rehearsalWords(of: Omit<Rehearsal, 'says'>, fallsBack: string | null): string[] {
  const { preflight, expected, effects } = of
  const warned = preflight.filter(({ status }) => status === 'warning')
  const shown = effects.filter(({ power }) => power !== null && power >= LIKELY).length
  return [
    stateWords(of),
    ...warned.map(({ title, seen }) => i18n.t('Preflight warns: {title}: {seen}', { title, seen })),
    ...(expected === null
      ? []
      : [
          i18n.t(
            'The talk takes about {talk}, of which {actions} are measuring and switching. Autopilot takes {autopilot}.',
            { talk: time(expected.talk), actions: time(expected.actions), autopilot: time(expected.autopilot) },
          ),
        ]),
    ...(effects.length === 1 || effects.length === 0
      ? effects.map(effectWords)
      : [
          i18n.t('{shown} of {count} comparisons show a difference in most talks, with the planned repeats.', {
            shown,
            count: effects.length,
          }),
        ]),
    ...(fallsBack === null
      ? []
      : [i18n.t('If something fails during the talk, play the recording {recording}.', { recording: fallsBack })]),
  ]
}
