/** The settings of a feature as form controls: settings that differ only by family share one control. Pure. */
import type { Feature, Setting } from '@expresslane/shared/features/feature'
import { commonSettings, counts, settingsOfArms } from '@expresslane/shared/features/settings'
import type { Settings, SettingValue } from '@expresslane/shared/base/settings'
import type { Family } from '@expresslane/shared/base/units'

export interface SettingControl {
  readonly label: string
  /** A single setting, or a setting per family. */
  readonly settings: readonly [Setting, ...Setting[]]
}

/** The input of each control by its label, as typed for text. A missing entry means off. */
export type Chosen = Readonly<Record<string, SettingValue>>

/** Why a testbed can't set a value; null if it can. */
export type WhyNot = (setting: Setting, value: SettingValue) => string | null

/** Every value of a choice; for other settings a value that stands for any value but off. */
function valuesOf({ control, off }: Setting): readonly SettingValue[] {
  return control.kind === 'choice' ? control.options.map(([value]) => value) : [off !== true]
}

/** Can only the value off be set? */
export function isRefused(setting: Setting, whyNot: WhyNot): boolean {
  return valuesOf(setting).every((value) => value === setting.off || whyNot(setting, value) !== null)
}

/** Why some values can't be set, without reasons that concern a single family. */
export function refusalsOf(controls: readonly SettingControl[], whyNot: WhyNot): string[] {
  const common = controls.map(({ settings: [first] }) => first).filter(({ family }) => family === undefined)
  return [...new Set(common.flatMap((one) => valuesOf(one).flatMap((value) => whyNot(one, value) ?? [])))]
}

/** The settings of a feature's arms, by control. */
export function controlsOf(feature: Feature): SettingControl[] {
  const settings = settingsOfArms(feature)
  const labels = [...new Set(settings.map(({ label }) => label))]
  return labels.flatMap((label): SettingControl[] => {
    const [first, ...rest] = settings.filter((one) => one.label === label)
    return first === undefined ? [] : [{ label, settings: [first, ...rest] }]
  })
}

/** The value of the input; null for text that is not valid. */
function valueOf({ off, control }: Setting, chosen: SettingValue | undefined): { readonly value: SettingValue } | null {
  if (chosen === undefined) return { value: off }
  if (control.kind !== 'text') return { value: chosen }
  const text = `${chosen ?? ''}`.trim()
  if (text === '') return { value: off }
  const value = control.parse(text)
  return value === null ? null : { value }
}

export interface ChosenSettings {
  readonly settings: Settings
  /** Errors in the input. */
  readonly messages: readonly string[]
}

/** The input as settings of the measured families. A value without effect is off. */
export function settingsChosen(feature: Feature, chosen: Chosen, families: readonly Family[]): ChosenSettings {
  const own = feature.settings.filter(({ family }) => family === undefined || families.includes(family))
  // Plans name a common setting only where it was chosen: most testbeds offer none.
  const common = commonSettings.filter(({ label, off }) => (chosen[label] ?? off) !== off)
  const relevant = [...own, ...common]
  const read = relevant.map((setting) => ({ setting, found: valueOf(setting, chosen[setting.label]) }))
  const typed = Object.fromEntries(read.map(({ setting, found }) => [setting.id, found?.value ?? setting.off]))
  const messages = read.flatMap(({ setting, found }) => {
    const { control, label } = setting
    if (found !== null || control.kind !== 'text' || !counts(setting, typed)) return []
    return [control.wrong(`${chosen[label] ?? ''}`.trim())]
  })
  const settings = read.map(({ setting }) => {
    const value = counts(setting, typed) ? (typed[setting.id] ?? setting.off) : setting.off
    return [setting.id, value] as const
  })
  return { settings: Object.fromEntries(settings), messages }
}

/** The input that produces the settings of an arm. */
export function chosenFrom(feature: Feature, settings: Settings): Chosen {
  return Object.fromEntries(
    controlsOf(feature).map(({ label, settings: of }) => {
      const set = of.find(({ id, off }) => settings[id] !== undefined && settings[id] !== off)
      const { control, off } = of[0]
      if (set === undefined) return [label, control.kind === 'text' ? '' : off]
      const value = settings[set.id] ?? off
      return [label, control.kind === 'text' ? control.write(value) : value]
    }),
  )
}
