/** Which address family a page shows where a lab has several. Pure. */
import type { Lab, Step } from '@expresslane/shared/labs/lab'
import type { RunState } from '@expresslane/shared/run/run-state'
import type { Family } from '@expresslane/shared/measure/units'

/** What is measured now, else what the step is about, else the lab's first. */
export function shownFamily(lab: Lab, { action }: Step, active: RunState | null): Family {
  const measured = active?.repeats.at(-1)?.family
  if (measured !== undefined) return measured
  if (action !== null && 'family' in action) return action.family
  // A lab has one at least, its schema says.
  return lab.families[0] ?? 'ipv4'
}
