/** Settings of the datapath in a few words. Pure. */
import type { Settings } from '@expresslane/shared/measure/settings'
import { family, familyName } from '@expresslane/shared/measure/units'
import type { FamilySetting } from '@expresslane/shared/testbed/reading'

/** `IPv4 off, IPv6 on` */
export function settingWords(setting: FamilySetting): string {
  return family.options.map((of) => `${familyName[of]} ${setting[of] ? 'on' : 'off'}`).join(', ')
}

/** Is the path known to have all the settings that were kept? Then there is no difference to report. */
export function isAsKept(kept: Settings, now: Settings | null): boolean {
  return now !== null && Object.entries(kept).every(([id, value]) => now[id] === value)
}
