/** Describes settings of the datapath. Pure. */
import { i18n } from '@expresslane/shared/base/language'
import { allSettings, findSetting, settingName, settingRows } from '@expresslane/shared/features/settings'
import type { Setting } from '@expresslane/shared/features/feature'
import type { Settings, SettingValue } from '@expresslane/shared/base/settings'

/** The values that a testbed offers, by setting. */
export type Choices = Readonly<Record<string, readonly string[]>>

/** `BIG TCP: IPv4 off, IPv6 on; Send limit: 128K`. Leaves out settings without a family that are off. */
export function settingWords(settings: Settings): string {
  const silent = allSettings().filter(({ id, off, family }) => family === undefined && settings[id] === off)
  const shown = settingRows(settings).filter(([label]) => !silent.some((one) => one.label === label))
  return shown.map(([label, words]) => `${label}: ${words}`).join('; ')
}

function valueWords(id: string, settings: Settings): string {
  const [setting, value] = [findSetting(id), settings[id]]
  if (setting === undefined || value === undefined)
    return `${id}: ${value === undefined ? i18n.t('unknown') : String(value)}`
  return `${settingName(setting)}: ${setting.format(value)}`
}

/** Original and current values of the settings that differ: `BIG TCP over IPv4: off` and `BIG TCP over IPv4: on`. */
export function changeWords(kept: Settings, now: Settings): { readonly was: string; readonly is: string } {
  const ids = Object.keys(kept).filter((id) => kept[id] !== now[id])
  const words = (of: Settings): string => ids.map((id) => valueWords(id, of)).join('; ')
  return { was: words(kept), is: words(now) }
}

/** Whether the path is known to have all the original settings. */
export function isAsKept(kept: Settings, now: Settings | null): boolean {
  return now !== null && Object.entries(kept).every(([id, value]) => now[id] === value)
}

/**
 * The options of a choice, with their names.
 *
 * @param choices the values that the testbed offers, by setting
 */
export function optionsOf(
  { id, off, control }: Setting,
  choices: Choices,
): readonly (readonly [SettingValue, string])[] {
  if (control.kind === 'choice') return control.options
  const [first, ...others] = control.kind === 'offered' ? (choices[id] ?? []) : []
  return first === undefined
    ? []
    : [[off, i18n.t('{first}, the default', { first })], ...others.map((one) => [one, one] as const)]
}
