/** From an arm to what is set on a testbed for it. */
import { completed, findSetting, settingsFor } from '@expresslane/shared/features/settings'
import type { Settings } from '@expresslane/shared/measure/settings'
import type { Family } from '@expresslane/shared/measure/units'
import type { Lab } from '@expresslane/shared/labs/lab'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import type { CallContext, Testbed } from '../../testbeds/testbed.ts'

/** All settings of an arm for the families that it concerns: what it does not name is off. */
export function settingsOf(
  { settings }: { readonly settings: Settings },
  families: readonly Family[],
  { feature }: Pick<Lab, 'feature'>,
): Settings {
  return settingsFor(completed(settings, feature), families)
}

/** These without what the testbed can't set: that is off by itself. What is not off stays, for the testbed to refuse. */
export function settable(settings: Settings, { capabilities }: Testbed): Settings {
  return Object.fromEntries(
    Object.entries(settings).filter(([id, value]) => {
      const setting = findSetting(id)
      if (setting === undefined) return false
      return setting.capability === null || capabilities.has(setting.capability) || value !== setting.off
    }),
  )
}

/** Sets what was there before; whatever else has been asked for since is off. */
export async function setAsBefore(before: Settings, testbed: Testbed, context: CallContext): Promise<DatapathState> {
  const state = await testbed.set(settable(before, testbed), context)
  const since = Object.keys(state.settings).filter((id) => !(id in before))
  if (since.length === 0) return state
  const off = since.flatMap((id) => {
    const setting = findSetting(id)
    return setting === undefined ? [] : [[id, setting.off] as const]
  })
  return testbed.set(Object.fromEntries(off), context)
}
