/** What a testbed can't do, and why. */
import { capabilityName } from '@expresslane/shared/features/capabilities'
import type { Capability } from '@expresslane/shared/testbed/testbed'
import type { Testbed } from '../../testbeds/testbed.ts'

/** Why a testbed lacks a capability; null if it has it. */
export function whyNot({ capabilities, lacks }: Testbed, need: Capability): string | null {
  if (capabilities.has(need)) return null
  return lacks.get(need) ?? `This testbed does not support ${capabilityName(need)}.`
}
