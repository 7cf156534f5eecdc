/** Names arms by the settings of their measurements, for arms without a plan or a lab. Pure. */
import type { Benchmark } from '../measure/benchmark.ts'
import type { Measurement } from '../measure/measurement.ts'
import { changedSettings, type Settings } from '../measure/settings.ts'
import type { Feature } from './feature.ts'
import { features } from './registry.ts'
import { featuresOf, settingsFor } from './settings.ts'

const all: readonly Feature[] = features
const unrecorded: ReadonlyMap<string, Settings> = new Map(
  all.flatMap(({ unrecordedArms }) => Object.entries(unrecordedArms ?? {})),
)

type Measured = Pick<Measurement, 'arm' | 'family' | 'fingerprint' | 'benchmark'>

/** The settings that concern the measured family; null if they are unknown. */
function settingsUnder({ arm, family, fingerprint }: Measured): Settings | null {
  const settings = fingerprint?.settings ?? unrecorded.get(arm)
  return settings === undefined ? null : settingsFor(settings, [family])
}

/** The features that the settings switch on; if everything is off, those that offer the tool. */
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
  return named(one, ({ nameArm }, settings) => nameArm(settings).label)
}

/** `with BIG TCP`: the same within a sentence. */
export function armPhraseOf(one: Measured): string | null {
  return named(one, ({ phrase }, settings) => phrase(settings))
}

/** The feature in whose settings two measurements differ; null if there is not exactly one, or if it is unknown. */
export function comparedFeature(was: Measured, is: Measured): Feature | null {
  const [before, after] = [settingsUnder(was), settingsUnder(is)]
  if (before === null || after === null) return null
  const changed = changedSettings(before, after)
  const [only, ...others] = featuresOf(Object.fromEntries(changed.map((id) => [id, null])))
  return others.length > 0 ? null : (only ?? null)
}
