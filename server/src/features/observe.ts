/** Compares a path with the expected settings of its features. */
import { cpuPlacementIn, cpuPlacementName, cpuPlacementOf } from '@expresslane/shared/features/cpu-placement'
import { observeKernel } from '@expresslane/shared/features/kernel'
import { roleName } from '@expresslane/shared/features/words'
import { featuresOf, findSetting, settingName } from '@expresslane/shared/features/settings'
import type { Capture } from '@expresslane/shared/measure/capture'
import type { ArmPlan } from '@expresslane/shared/measure/experiment'
import type { Settings } from '@expresslane/shared/base/settings'
import type { Family } from '@expresslane/shared/base/units'
import type { Observation } from '@expresslane/shared/base/observation'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import { isPodSetting } from './with-features.ts'
import type { Expected, FeatureSentences, RunProbe } from './feature.ts'
import { serverFeatures } from './registry.ts'

/** The observations of all features whose settings are expected. */
export function observe(state: DatapathState, expected: Expected): Observation[] {
  const concerned = featuresOf({ ...expected.intent, ...expected.nodes, ...expected.pods })
  const known = serverFeatures
    .all()
    .filter(({ id }) => concerned.some((feature) => feature.id === id))
    .flatMap((feature) => feature.observe(state, expected))
  return [
    ...known,
    ...observeDriven(expected.intent, state.settings, ', intended'),
    ...observeDriven(expected.pods, state.carried, ' of the pods'),
    ...observeCpus(expected.pods, state),
    ...observeKernel(expected.nodes ?? expected.intent ?? {}, state),
  ]
}

/** Why a path is not as expected, for the person who sets it by hand; null if it is. */
export function hintFor(feature: string, state: DatapathState, expected: Expected): string | null {
  const wrong = observe(state, expected).find(({ ok }) => !ok)
  if (wrong === undefined) return null
  const own = serverFeatures
    .all()
    .find(({ id }) => id === feature)
    ?.hint?.(state, expected)
  return own ?? `${wrong.label} has ${wrong.seen}, and this step needs ${wrong.expected ?? 'another value'}.`
}

/** Within a line: `Translator` -> `translator`, and `BIG TCP` as it is. */
function lowered(name: string): string {
  return /^[A-Z][a-z]/.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name
}

/** Checks the settings that features' commands set in the pods. */
function observeDriven(wanted: Settings | undefined, has: Settings, where: string): Observation[] {
  return Object.entries(wanted ?? {}).flatMap(([id, want]) => {
    const setting = findSetting(id)
    if (setting === undefined || !isPodSetting(id)) return []
    const seen = has[id]
    const words = seen === undefined ? 'unknown' : setting.format(seen)
    return [
      { label: lowered(settingName(setting)) + where, expected: setting.format(want), seen: words, ok: seen === want },
    ]
  })
}

/** Checks on which CPUs the pods run, if an arm asks for a placement. */
function observeCpus(wanted: Settings | undefined, { placement }: DatapathState): Observation[] {
  const want = cpuPlacementIn(wanted ?? {})
  if (want === null || placement === null) return []
  const seen = cpuPlacementOf(placement.cpus)
  const places = placement.pods.map(({ role }) => roleName(role))
  const words = [want, seen].map((one) => cpuPlacementName(one, places))
  return [{ label: 'CPUs of the pods', expected: words[0] ?? '', seen: words[1] ?? '', ok: seen === want }]
}

/** The feature's checks of captured packets; empty if it has none. */
export function observeCapture(feature: string, capture: Capture, arm: ArmPlan, state: DatapathState): Observation[] {
  return (
    serverFeatures
      .all()
      .find(({ id }) => id === feature)
      ?.observeCapture?.(capture, arm, state) ?? []
  )
}

/** Sentences that fit any feature. */
const plain: FeatureSentences = {
  verified: ({ label }) => `Every layer is set to “${label}”.`,
  notVerified: ({ label }) => `The path is not set to “${label}”`,
  switched: ({ label }: ArmPlan, _families: readonly Family[]) =>
    `The nodes are set to “${label}”. Running pods keep their settings.`,
  carried: () => 'Nodes and pods have the expected settings.',
}

export function sentencesOf(feature: string): FeatureSentences {
  return serverFeatures.all().find(({ id }) => id === feature)?.sentences ?? plain
}

/** The function that performs a probe of a feature; undefined if it has none of this name. */
export function probeOf(feature: string, probe: string): RunProbe | undefined {
  return serverFeatures.all().find(({ id }) => id === feature)?.probes?.[probe]
}
