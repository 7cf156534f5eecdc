/** Why the arms of a report's results differ: their profiles, pair by pair. */
import { flameChart } from '../../charts/flame-chart.ts'
import { paper } from '../../charts/draw/chart.ts'
import { escapeMarkup as text } from '../../charts/draw/svg.ts'
import { capitalized } from '../../features/words.ts'
import type { ArmProfile } from '../../profile/made.ts'
import { noiseOf, profileDifference, profilePairs, type ProfilePair } from '../../profile/difference.ts'
import {
  branchInWords,
  differenceInWords,
  formatAdded,
  formatInstructions,
  formatShare,
  lossesInWords,
  quantityOf,
  reasonInWords,
} from '../../profile/words.ts'
import type { Report, ReportRun } from '../model.ts'
import { chart, paragraph, table } from './parts.ts'

/** A flame graph is large: more pairs than these have their words and tables alone. */
const DRAWN = 4
/** So many groups have a row. */
const GROUPS = 8

function differencePart(
  { before, after }: NonNullable<ProfilePair['profiles']>,
  title: string,
  draws: boolean,
): string {
  const difference = profileDifference(before, after)
  const { unit, root, groups, branch } = difference
  const rows = groups.slice(0, GROUPS).map(({ group, share, ...of }) => ({
    cells: [
      capitalized(group),
      formatInstructions(of.before),
      formatInstructions(of.after),
      formatAdded(of.after - of.before),
      share === null ? '–' : formatShare(share),
    ],
  }))
  return [
    paragraph(differenceInWords(difference)),
    paragraph(branch === null ? '' : branchInWords(branch, unit)),
    table('', [`${capitalized(quantityOf(difference))} a ${unit}`, 'Before', 'After', 'Change', 'Share'], rows),
    draws
      ? chart(
          flameChart(
            {
              root,
              id: '0',
              title,
              quantity: quantityOf(difference),
              noise: noiseOf(difference),
              isFound: () => false,
            },
            paper,
          ),
        )
      : '',
    paragraph(lossesInWords(difference), 'note'),
  ].join('')
}

/** The profiles that are compared: an experiment's, or those of all steps that each measured an arm. */
function resultsIn(runs: readonly ReportRun[]): { run: ReportRun; profiles: readonly ArmProfile[] }[] {
  const steps = runs.filter(({ plan }) => plan === null)
  const [first] = steps
  const experiments = runs.filter(({ plan }) => plan !== null).map((run) => ({ run, profiles: run.profiles ?? [] }))
  const inSteps = steps.flatMap(({ profiles = [] }) => profiles)
  return [...(first === undefined ? [] : [{ run: first, profiles: inSteps }]), ...experiments]
}

/** Empty without profiles of two arms. */
export function* whyParts({ runs, comparisons }: Report): Generator<string> {
  const found = resultsIn(runs).flatMap(({ run: { plan }, profiles }) => {
    const first = plan?.arms[0]?.id ?? profiles[0]?.arm ?? ''
    return profilePairs(profiles, first).map((pair) => ({ plan, first, pair }))
  })
  // Of separate steps, the comparison has the names of the arms.
  const compared = comparisons.find((one) => one.case === null)?.comparison
  const sides = compared === undefined ? [] : [compared.off, compared.on]
  for (const { plan, first, pair } of found) {
    const name = (arm: string): string =>
      plan?.arms.find(({ id }) => id === arm)?.label ?? capitalized(sides.find((side) => side.arm === arm)?.name ?? arm)
    const of = plan !== null && plan.cases.length > 1 ? plan.cases.find(({ id }) => id === pair.caseId) : undefined
    const title = `Why? ${of === undefined ? '' : `${of.label}: `}${name(first)} → ${name(pair.arm)}`
    const reasons = pair.reasons.map(({ arm, reason }) =>
      paragraph(reasonInWords(arm === null ? null : name(arm), reason)),
    )
    const shown = pair.profiles === null ? '' : differencePart(pair.profiles, title, found.length <= DRAWN)
    yield `<section class="card"><h3>${text(title)}</h3>${reasons.join('')}${shown}</section>`
  }
}
