/** Whether a lab can run on a testbed, and if not, why. Pure. */
import { i18n } from '@expresslane/shared/base/language'
import { testbedFor } from '@expresslane/shared/features/topology'
import type { Problem } from '@expresslane/shared/base/errors'
import type { Lab } from '@expresslane/shared/labs/lab'
import type { TestbedView } from '@expresslane/shared/wire/protocol'
import { isInTheWay, type Capability, type Check } from '@expresslane/shared/testbed/testbed'
import { listed } from '../words/format.ts'
import { whyLacking } from '../words/testbeds.ts'

export interface Availability {
  readonly possible: boolean
  /** Why the testbed itself can't be used. */
  readonly problem: Problem | null
  /** Failed checks of capabilities that the lab needs. */
  readonly blockers: readonly Check[]
  /** Why this testbed lacks capabilities that the lab needs, in sentences. */
  readonly lacking: readonly string[]
  /** The testbed plays a recording of another lab. */
  readonly otherLab: boolean
}

/** Nothing prevents the lab from running. */
export const clear: Availability = { possible: true, problem: null, blockers: [], lacking: [], otherLab: false }

/** A problem counts only if the facts could not be read: a testbed with facts is usable. */
export function availabilityOf(lab: Lab, testbed: TestbedView): Availability {
  const problem = testbed.facts === null ? testbed.problem : null
  const here = testbedFor(lab.feature, testbed.id) === testbed.id
  const blockers = testbed.preflight.filter((check) => isInTheWay(check, lab.needs, here))
  const isExplained = (need: Capability): boolean =>
    blockers.some(({ blocks }) => typeof blocks === 'string' || blocks.includes(need))
  const otherLab = testbed.labs !== null && !testbed.labs.includes(lab.id)
  const lacking = otherLab
    ? []
    : // Several needs can have one reason.
      [...new Set(lab.needs.filter((need) => !isExplained(need)).flatMap((need) => whyLacking(need, testbed) ?? []))]
  const possible = problem === null && blockers.length === 0 && lacking.length === 0 && !otherLab
  return { possible, problem, blockers, lacking, otherLab }
}

/**
 * The reasons that apply to all of these labs, which the page shows once. With only one lab there are no shared
 * reasons.
 */
export function sharedReasons(labs: readonly Lab[], testbed: TestbedView): Availability {
  const [first, ...others] = labs.map((lab) => availabilityOf(lab, testbed))
  if (first === undefined || others.length === 0) {
    return clear
  }
  const blockers = first.blockers.filter(({ id }) => others.every((one) => one.blockers.some((two) => two.id === id)))
  const lacking = first.lacking.filter((reason) => others.every((one) => one.lacking.includes(reason)))
  const otherLab = first.otherLab && others.every((one) => one.otherLab)
  const possible = first.problem === null && blockers.length === 0 && lacking.length === 0 && !otherLab
  return { possible, problem: first.problem, blockers, lacking, otherLab }
}

/**
 * The reasons that apply to one lab in addition to the shared ones; `possible` if there are none. A testbed that can't be
 * used at all has no further reasons.
 */
export function ownReasons(of: Availability, shared: Availability): Availability {
  if (shared.problem !== null) return clear
  const blockers = of.blockers.filter(({ id }) => !shared.blockers.some((one) => one.id === id))
  const lacking = of.lacking.filter((reason) => !shared.lacking.includes(reason))
  const possible = of.problem === null && blockers.length === 0 && lacking.length === 0
  return { ...clear, possible, problem: of.problem, blockers, lacking }
}

/** Whether a reason needs a user's action: the set-up is still getting a tool that is `coming`. */
export function canMend({ problem, blockers }: Availability): boolean {
  return problem !== null || blockers.some(({ coming }) => coming !== true)
}

/** Why a testbed can't run something, in one line. */
export function reasonOf({ problem, blockers, lacking }: Availability): string {
  if (problem !== null) return problem.message
  if (blockers.length > 0 && blockers.every(({ coming }) => coming === true))
    return i18n.t('The set-up is getting its tools in the background. This takes a few minutes at most.')
  const failed = blockers.map(({ title }) => title)
  if (failed.length > 0)
    return i18n.t('{count, plural, one {# failed check} other {# failed checks}} ({names}).', {
      count: failed.length,
      names: listed(failed),
    })
  return lacking.join(' ')
}
