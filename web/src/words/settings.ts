/** Settings of the datapath in a few words. Pure. */
import { allSettings, settingRows } from '@expresslane/shared/features/settings'
import type { Settings } from '@expresslane/shared/measure/settings'

/** `BIG TCP: IPv4 off, IPv6 on; Send limit: 128K`. One that is about no family and off is left out. */
export function settingWords(settings: Settings): string {
  const silent = allSettings.filter(({ id, off, family }) => family === undefined && settings[id] === off)
  const shown = settingRows(settings).filter(([label]) => !silent.some((one) => one.label === label))
  return shown.map(([label, words]) => `${label}: ${words}`).join('; ')
}

/** Is the path known to have all the settings that were kept? Then there is no difference to report. */
export function isAsKept(kept: Settings, now: Settings | null): boolean {
  return now !== null && Object.entries(kept).every(([id, value]) => now[id] === value)
}
