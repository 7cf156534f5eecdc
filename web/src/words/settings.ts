/** Settings of the datapath in a few words. Pure. */
import { family, familyName } from '@expresslane/shared/measure/units'
import type { FamilySetting } from '@expresslane/shared/testbed/reading'

/** `IPv4 off, IPv6 on` */
export function settingWords(setting: FamilySetting): string {
  return family.options.map((of) => `${familyName[of]} ${setting[of] ? 'on' : 'off'}`).join(', ')
}
