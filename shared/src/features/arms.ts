/** Names arms by the settings of their measurements, for arms without a plan or a lab. Pure. */
import { derived } from '../base/registry.ts'
import type { Benchmark } from '../measure/benchmark.ts'
import type { Measurement } from '../measure/measurement.ts'
import { changedSettings, type Settings } from '../base/settings.ts'
import type { ArmName, Feature } from './feature.ts'
import { kernelIn } from './kernel.ts'
import { features } from './registry.ts'
import { featuresOf, settingsFor } from './settings.ts'

const unrecorded = derived(
  (): ReadonlyMap<string, Settings> =>
    new Map(features.all().flatMap(({ unrecordedArms }) => Object.entries(unrecordedArms ?? {}))),
)

/** The kernel at the end of a name, without its flavour, which all have; empty for the default. */
function ofKernel(settings: Settings, words: string): string {
  const kernel = kernelIn(settings)
  return kernel === null ? '' : words + kernel.replace(/-cloud-amd64$/, '')
}

/** Names an arm by its feature's settings and the common ones: `on-6-12-43-deb12`, `With BIG TCP, kernel 6.12.43+deb12`. */
export function nameArmOf({ nameArm }: Feature, settings: Settings): ArmName {
  const { id, label } = nameArm(settings)
  const kernel = ofKernel(settings, '-')
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
  return { id: `${id}${kernel}`, label: `${label}${ofKernel(settings, ', kernel ')}` }
}

/** The same within a sentence: `with BIG TCP, kernel 6.12.43+deb12`. */
export function armPhrase({ phrase }: Feature, settings: Settings): string {
  return `${phrase(settings)}${ofKernel(settings, ', kernel ')}`
}

type Measured = Pick<Measurement, 'arm' | 'family' | 'fingerprint' | 'benchmark'>

/** The settings that concern the measured family; null if they are unknown. */
function settingsUnder({ arm, family, fingerprint }: Measured): Settings | null {
  const settings = fingerprint?.settings ?? unrecorded().get(arm)
  return settings === undefined ? null : settingsFor(settings, [family])
}

/** The features that the settings switch on; if everything is off, the features that offer the tool. */
function switched(settings: Settings, { tool }: Benchmark): Feature[] {
  const concerned = featuresOf(settings)
  const on = concerned.filter((feature) =>
    feature.settings.some(({ id, off }) => settings[id] !== undefined && settings[id] !== off),
  )
  const offering = concerned.filter(({ benchmarks }) => benchmarks.some((kind) => kind.tool === tool))
  return on.length > 0 ? on : offering.length > 0 ? offering : concerned
}

function named(one: Measured, nameOf: (feature: Feature, settings: Settings) => string): string | null {
  const settings = settingsUnder(one)
  const names = settings === null ? [] : switched(settings, one.benchmark).map((feature) => nameOf(feature, settings))
  return names.length === 0 ? null : names.join(', ')
}

/** `With BIG TCP`: the name of a measurement's arm; null if its settings are unknown. */
export function armNameOf(one: Measured): string | null {
  return named(one, (feature, settings) => nameArmOf(feature, settings).label)
}

/** `with BIG TCP`: the same within a sentence. */
export function armPhraseOf(one: Measured): string | null {
  return named(one, armPhrase)
}

/** The feature in whose settings two measurements differ; null if there is not exactly one, or if it is unknown. */
export function comparedFeature(was: Measured, is: Measured): Feature | null {
  const [before, after] = [settingsUnder(was), settingsUnder(is)]
  if (before === null || after === null) return null
  const changed = changedSettings(before, after)
  const [only, ...others] = featuresOf(Object.fromEntries(changed.map((id) => [id, null])))
  return others.length > 0 ? null : (only ?? null)
}
