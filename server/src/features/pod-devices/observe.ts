/** Checks whether the pods reach each other, as their device and their nodes' forwarding let them. No setting shows that. */
import { answers } from '@expresslane/shared/features/pod-devices/devices'
import { PINGS } from '@expresslane/shared/features/pod-devices/roles'
import { deviceIn, isForwarding } from '@expresslane/shared/features/pod-devices/settings'
import { familyName } from '@expresslane/shared/base/units'
import type { Observation } from '@expresslane/shared/base/observation'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import { observeAnswers } from '../answered.ts'
import type { Expected } from '../feature.ts'

/** An observation for each family. None without the settings of pods. */
export function observe({ hooks }: DatapathState, { families, pods }: Expected): Observation[] {
  if (pods === undefined) return []
  const wanted = answers(deviceIn(pods), isForwarding(pods))
  return observeAnswers(hooks, families, {
    hook: PINGS,
    label: (of) => `pings from pod to pod over ${familyName[of]}`,
    wanted,
  })
}
