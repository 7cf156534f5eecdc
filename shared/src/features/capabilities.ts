/** The capabilities that a lab can need, with their names in sentences. Pure. */
import type { Capability } from '../testbed/testbed.ts'
import { abouts } from './abouts.ts'
import type { CapabilityWords, FeatureAbout } from './feature.ts'

/** Capabilities that several features can need. */
const common: readonly CapabilityWords[] = [
  { id: 'capture', name: 'packet capture' },
  { id: 'iperf3', name: 'iperf3' },
  { id: 'kernels', name: 'a choice of kernels' },
  /** Switching takes less time than a measurement. */
  { id: 'quick-switch', name: 'quick switching' },
]

const all: readonly FeatureAbout[] = abouts
const names: ReadonlyMap<Capability, string> = new Map(
  [...all.flatMap(({ capabilities }) => capabilities), ...common].map(({ id, name }) => [id, name]),
)

/** Every capability that a lab can need. */
export const knownCapabilities: readonly Capability[] = [...names.keys()]

/** The name of a capability in a sentence; the id of an unknown one. */
export function capabilityName(id: Capability): string {
  return names.get(id) ?? id
}
