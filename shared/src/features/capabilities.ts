/** The capabilities that a lab can need: their names in sentences, and the primitives that they need. Pure. */
import { i18n } from '../base/language.ts'
import { derived } from '../base/registry.ts'
import type { Primitive, Primitives } from '../testbed/primitive.ts'
import type { Capability } from '../testbed/testbed.ts'
import { abouts } from './abouts.ts'
import type { FeatureAbout, KnownCapability } from './feature.ts'

/** Capabilities that several features can need. */
const common: Pick<FeatureAbout, 'capabilities'> = {
  capabilities: [
    { id: 'capture', name: 'packet capture', needs: ['capture'] },
    { id: 'iperf3', name: 'iperf3', needs: ['iperf3'] },
    { id: 'kernels', name: 'a choice of kernels', needs: ['kernels'] },
    { id: 'profile', name: 'a profile of the kernel’s functions', needs: ['profile'] },
    /** Switching takes less time than a measurement. */
    { id: 'quick-switch', name: 'quick switching', needs: ['quick-switch'] },
  ],
}

/** A capability, with its feature's words for a missing primitive. */
type Known = KnownCapability & Pick<FeatureAbout, 'without' | 'onCluster'>

const known = derived((): ReadonlyMap<Capability, Known> => {
  const all: readonly Pick<FeatureAbout, 'capabilities' | 'without' | 'onCluster'>[] = [...abouts.all(), common]
  return new Map(
    all.flatMap(({ capabilities, without = {}, onCluster = {} }) =>
      capabilities.map((one) => [one.id, { ...one, without, onCluster }]),
    ),
  )
})

/** Every capability that a lab can need. */
export const knownCapabilities = derived((): readonly Capability[] => [...known().keys()])

/** The name of a capability in a sentence; the id of an unknown one. */
export function capabilityName(id: Capability): string {
  return i18n.t(known().get(id)?.name ?? id)
}

/** Why a testbed with these primitives lacks a capability; null if it has it. */
export function whyLacking(need: Capability, has: Primitives): string | null {
  const of = known().get(need)
  if (of === undefined) return `This testbed does not support ${need}.`
  const missing = of.needs
    .map((one) => [one].flat())
    .find((ways: readonly Primitive[]) => ways.every((way) => has[way] !== null))
  const [first] = missing ?? []
  const words = has.cilium === null ? of.onCluster : of.without
  return first === undefined ? null : (words?.[first] ?? has[first])
}

/** The capabilities that need one of these primitives, and capabilities of these names. */
export function needing(lost: readonly string[]): Capability[] {
  return knownCapabilities().filter((id) =>
    [id, ...(known().get(id)?.needs.flat() ?? [])].some((one) => lost.includes(one)),
  )
}
