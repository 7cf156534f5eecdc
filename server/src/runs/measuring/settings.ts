/** The settings of an arm, as they are set on a testbed. */
import { completed, findSetting, settingsFor } from '@expresslane/shared/features/settings'
import type { Settings } from '@expresslane/shared/measure/settings'
import type { Family } from '@expresslane/shared/measure/units'
import type { Lab } from '@expresslane/shared/labs/lab'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import type { CallContext, Testbed } from '../../testbeds/testbed.ts'

/** All settings of an arm that concern these families. Missing settings are off. */
export function settingsOf(
  { settings }: { readonly settings: Settings },
  families: readonly Family[],
  { feature }: Pick<Lab, 'feature'>,
): Settings {
  return settingsFor(completed(settings, feature), families)
}

/**
 * Leaves out settings that the testbed can't set and that are off anyway. The others stay, so that the testbed refuses
 * them.
 */
export function settable(settings: Settings, { capabilities }: Testbed): Settings {
  return Object.fromEntries(
    Object.entries(settings).filter(([id, value]) => {
      const setting = findSetting(id)
      if (setting === undefined) return false
      return setting.capability === null || capabilities.has(setting.capability) || value !== setting.off
    }),
  )
}

/** Restores the earlier settings. Settings that were added since are turned off. */
export async function setAsBefore(before: Settings, testbed: Testbed, context: CallContext): Promise<DatapathState> {
  const state = await testbed.set(settable(before, testbed), context)
  const since = Object.keys(state.settings).filter((id) => !(id in before))
  if (since.length === 0) return state
  const off = since.flatMap((id) => {
    const setting = findSetting(id)
    return setting === undefined || setting.staysAsFound === true ? [] : [[id, setting.off] as const]
  })
  return testbed.set(Object.fromEntries(off), context)
}
