/** The abilities of a testbed and its lacks, in words. Pure. */
import { i18n } from '@expresslane/shared/base/language'
import { capabilityName } from '@expresslane/shared/features/capabilities'
import { isInTheWay, type Capability } from '@expresslane/shared/testbed/testbed'
import type { TestbedView } from '@expresslane/shared/wire/protocol'

/** Why a testbed lacks a capability; null if it has it. */
export function whyLacking(need: Capability, { capabilities, lacks }: TestbedView): string | null {
  if (capabilities.includes(need)) return null
  const lack = lacks.find(({ capability }) => capability === need)
  if (lack === undefined) return i18n.t('This testbed does not support {need}.', { need: capabilityName(need) })
  return i18n.t(lack.reason)
}

/**
 * Whether a testbed can be used: it was read, or it starts when a step needs it, and has neither facts nor a problem
 * now.
 */
export function isUsable({ facts, problem, preflight }: TestbedView): boolean {
  if (facts !== null) return true
  return problem === null && !preflight.some((check) => isInTheWay(check, []))
}
