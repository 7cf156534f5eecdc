/** Chooses the address family to show for a lab with several. Pure. */
import type { Lab, Step } from '@expresslane/shared/labs/lab'
import type { RunState } from '@expresslane/shared/run/run-state'
import type { Family } from '@expresslane/shared/base/units'

/** The family that is being measured, or the family of the step, or the first family of the lab. */
export function shownFamily(lab: Lab, { action }: Step, active: RunState | null): Family {
  const measured = active?.repeats.at(-1)?.family
  if (measured !== undefined) return measured
  if (action !== null && 'family' in action) return action.family
  // The schema of a lab requires at least one family.
  return lab.families[0] ?? 'ipv4'
}
