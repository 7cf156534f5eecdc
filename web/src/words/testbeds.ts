/** What a testbed lacks, in words. Pure. */
import { capabilityName } from '@expresslane/shared/features/capabilities'
import type { Capability } from '@expresslane/shared/testbed/testbed'
import type { TestbedView } from '@expresslane/shared/wire/protocol'

/** Why a testbed lacks a capability; null if it has it. */
export function whyLacking(need: Capability, { capabilities, lacks }: TestbedView): string | null {
  if (capabilities.includes(need)) return null
  const lack = lacks.find(({ capability }) => capability === need)
  return lack?.reason ?? `This testbed does not support ${capabilityName(need)}.`
}
