/** Lookup of all settings, and the features' words about them. Pure. */
import { i18n } from '../base/language.ts'
import { z } from 'zod'
import { derived } from '../base/registry.ts'
import type { Clock } from '../measure/clock.ts'
import type { Settings, SettingValue } from '../base/settings.ts'
import { familyName, type Family } from '../base/units.ts'
import type { Capability } from '../testbed/testbed.ts'
import type { Observation } from '../base/observation.ts'
import type { Feature, ProofInput, Setting } from './feature.ts'
import { kernelSetting, observeKernel } from './kernel.ts'
import { features } from './registry.ts'

/** The settings that arms of any feature can have. */
export const commonSettings: readonly Setting[] = [kernelSetting]

const definitions = derived(
  (): ReadonlyMap<string, Setting> =>
    new Map([...features.all().flatMap(({ settings }) => settings), ...commonSettings].map((one) => [one.id, one])),
)

/** All settings of all features, in the order of the registry, and the common settings. */
export const allSettings = derived((): readonly Setting[] => [...definitions().values()])

export function findFeature(id: string): Feature | undefined {
  return features.all().find((one) => one.id === id)
}

export function findSetting(id: string): Setting | undefined {
  return definitions().get(id)
}

/** The settings that arms of a feature can have. */
export function settingsOfArms({ settings }: Pick<Feature, 'settings'>): Setting[] {
  return [...settings, ...commonSettings]
}

/** The settings of a feature that an experiment usually has in all its arms. */
export function settingsForAllArms(feature: string): Setting[] {
  return settingsOfArms(findFeature(feature) ?? { settings: [] }).filter(({ forAllArms }) => forAllArms === true)
}

/** Are these settings of different machines, of which each has facts of its own? */
export function areOfOtherMachines(was: Settings, is: Settings): boolean {
  return commonSettings.some(({ id, off, ofMachine }) => ofMachine === true && (was[id] ?? off) !== (is[id] ?? off))
}

/** The features that these settings belong to. */
export function featuresOf(settings: Settings): Feature[] {
  return features.all().filter((feature) => feature.settings.some(({ id }) => id in settings))
}

/** Seconds that new pods take longer with these settings. @param clock of their testbed */
export function extraSeconds(settings: Settings, clock: Clock): number {
  return featuresOf(settings).reduce((sum, feature) => sum + (feature.extraSeconds?.(settings, clock) ?? 0), 0)
}

/** The proof that an arm had its settings, from the features of these settings that offer the tool. */
export function proofOf(input: ProofInput): Observation[] {
  const { tool } = input.benchmark
  const known = featuresOf(input.settings)
    .filter(({ benchmarks }) => benchmarks.some((kind) => kind.tool === tool))
    .flatMap(({ proof }) => proof(input))
  return [...known, ...observeKernel(input.settings, input.datapath)]
}

/** `BIG TCP over IPv6`, `Send limit`. */
export function settingName({ label, family }: Setting): string {
  const name = i18n.t(label)
  return family === undefined ? name : i18n.t('{name} over {family}', { name, family: familyName[family] })
}

/** Does the setting have an effect, given the other settings? */
export function counts(setting: Setting, beside: Settings): boolean {
  const { dependsOn } = setting
  return (
    dependsOn === undefined || dependsOn.some((id) => beside[id] !== undefined && beside[id] !== findSetting(id)?.off)
  )
}

/**
 * Settings in words, one row per label: `['BIG TCP', 'IPv4 on, IPv6 off']`, `['Send limit', '128K']`. Settings whose
 * actual value is in the fingerprint are left out, because that value says more.
 */
export function settingRows(settings: Settings): [label: string, words: string][] {
  const known = allSettings().filter(({ id, readAs }) => settings[id] !== undefined && readAs === undefined)
  return [...new Set(known.map(({ label }) => label))].map((label) => {
    const words = known
      .filter((one) => one.label === label)
      .map(({ id, off, family, format }) => {
        const value = format(settings[id] ?? off)
        return family === undefined ? value : `${familyName[family]} ${value}`
      })
    return [label, words.join(', ')]
  })
}

/** The settings that concern these families or all families. */
export function settingsFor(settings: Settings, families: readonly Family[]): Settings {
  return Object.fromEntries(
    Object.entries(settings).filter(([id]) => {
      const family = findSetting(id)?.family
      return family === undefined || families.includes(family)
    }),
  )
}

/**
 * The settings of a feature's arm that concern these families: the settings that it names, and off for all other
 * settings of the feature and of the features that its settings belong to.
 */
export function resolveSettings(
  { settings }: { readonly settings: Settings },
  families: readonly Family[],
  { feature }: { readonly feature: string },
): Settings {
  const concerned = features.all().filter((one) => one.id === feature || featuresOf(settings).includes(one))
  const off = [...concerned.flatMap(({ settings: own }) => [...own]), ...commonSettings].map(
    (setting) => [setting.id, setting.off] as const,
  )
  return settingsFor({ ...Object.fromEntries(off), ...settings }, families)
}

/** Sentences on values that a testbed does not offer, one for each. @param choices of the testbed, by setting */
export function valuesNotOffered(settings: Settings, choices: Readonly<Record<string, readonly string[]>>): string[] {
  return Object.entries(choices).flatMap(([id, offered]) => {
    const [setting, value] = [findSetting(id), settings[id]]
    if (setting === undefined || value === undefined || value === setting.off || offered.includes(`${value}`)) return []
    return [`${setting.label} ${setting.format(value)} is not here. Those that are: ${offered.join(', ')}.`]
  })
}

/** The capability that a value of a setting needs; null for none. */
export function capabilityFor({ off, capability, capabilityOf }: Setting, value: SettingValue): Capability | null {
  if (capabilityOf !== undefined) return capabilityOf(value)
  return value === off ? null : capability
}

/** The capabilities that a testbed needs for these settings. */
export function capabilitiesFor(settings: Settings): Capability[] {
  const needed = allSettings().flatMap((setting) => {
    const value = settings[setting.id]
    return value === undefined ? [] : (capabilityFor(setting, value) ?? [])
  })
  return [...new Set(needed)]
}

export interface SettingIssue {
  readonly id: string
  readonly message: string
}

/**
 * The errors of settings: unknown settings, and values that a setting does not accept.
 *
 * @param of accept only the settings of this feature's arms
 */
export function settingIssues(settings: Settings, of: Feature | null = null): SettingIssue[] {
  return Object.entries(settings).flatMap(([id, value]) => {
    const setting = of === null ? findSetting(id) : settingsOfArms(of).find((one) => one.id === id)
    if (setting === undefined) {
      const known = (of === null ? allSettings() : settingsOfArms(of)).map((one) => one.id).join(', ')
      return [{ id, message: `there is no setting “${id}”; known are ${known}` }]
    }
    const parsed = setting.schema.safeParse(value)
    return parsed.success ? [] : [{ id, message: z.prettifyError(parsed.error) }]
  })
}
