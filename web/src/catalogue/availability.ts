/** Can a lab run on a testbed, and if not, why? Pure. */
import type { Problem } from '@expresslane/shared/wire/errors'
import type { Lab } from '@expresslane/shared/labs/lab'
import type { TestbedView } from '@expresslane/shared/wire/protocol'
import { isInTheWay, type Capability, type Check } from '@expresslane/shared/testbed/testbed'
import { capabilityName } from '@expresslane/shared/features/capabilities'

export interface Availability {
  readonly possible: boolean
  /** Why the testbed itself can't be used. */
  readonly problem: Problem | null
  /** Failed checks that take away what the lab needs. */
  readonly blockers: readonly Check[]
  /** Why this testbed never can, in sentences. */
  readonly lacking: readonly string[]
}

function whyLacking(need: Capability, { lacks }: TestbedView): string {
  const told = lacks.find(({ capability }) => capability === need)
  return told?.reason ?? `It does not offer ${capabilityName(need)}.`
}

/** A problem counts only where facts could not be read: a testbed with facts can be tried. */
export function availabilityOf(lab: Lab, testbed: TestbedView): Availability {
  const problem = testbed.facts === null ? testbed.problem : null
  const blockers = testbed.preflight.filter((check) => isInTheWay(check, lab.needs))
  const isExplained = (need: Capability): boolean =>
    blockers.some(({ blocks }) => blocks === 'all' || blocks.includes(need))
  const lacking =
    testbed.labs === null || testbed.labs.includes(lab.id)
      ? lab.needs
          .filter((need) => !testbed.capabilities.includes(need) && !isExplained(need))
          .map((need) => whyLacking(need, testbed))
      : ['It plays back a recording of another lab.']
  const possible = problem === null && blockers.length === 0 && lacking.length === 0
  return { possible, problem, blockers, lacking }
}
