/** A feature's settings as the controls of a form: settings that differ by family alone are one control. Pure. */
import type { Feature, Setting } from '@expresslane/shared/features/feature'
import { counts } from '@expresslane/shared/features/settings'
import type { Settings, SettingValue } from '@expresslane/shared/measure/settings'
import type { Family } from '@expresslane/shared/measure/units'

export interface SettingControl {
  readonly label: string
  /** One, or one a family. */
  readonly settings: readonly [Setting, ...Setting[]]
}

/** What somebody chose for each control, by its label: what was typed where it is typed. Off where it is left out. */
export type Chosen = Readonly<Record<string, SettingValue>>

export function controlsOf({ settings }: Feature): SettingControl[] {
  const labels = [...new Set(settings.map(({ label }) => label))]
  return labels.flatMap((label): SettingControl[] => {
    const [first, ...rest] = settings.filter((one) => one.label === label)
    return first === undefined ? [] : [{ label, settings: [first, ...rest] }]
  })
}

/** The value of what was chosen; null for text that has none. */
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
  /** What is wrong with what was typed. */
  readonly messages: readonly string[]
}

/** What was chosen, as settings of the families that are measured. A value without effect is off. */
export function settingsChosen(feature: Feature, chosen: Chosen, families: readonly Family[]): ChosenSettings {
  const concerned = feature.settings.filter(({ family }) => family === undefined || families.includes(family))
  const read = concerned.map((setting) => ({ setting, found: valueOf(setting, chosen[setting.label]) }))
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

/** An arm's settings as somebody would choose them. */
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
