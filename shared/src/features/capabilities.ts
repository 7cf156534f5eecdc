/** The capabilities that a lab can need, and what each is called in a sentence. Pure. */
import type { Capability } from '../testbed/testbed.ts'
import type { CapabilityWords, Feature } from './feature.ts'
import { features } from './registry.ts'

/** Those that several features can need. */
const common: readonly CapabilityWords[] = [
  { id: 'capture', name: 'packet capture' },
  { id: 'iperf3', name: 'iperf3' },
  /** Switching takes less time than a measurement. */
  { id: 'quick-switch', name: 'quick switching' },
]

const all: readonly Feature[] = features
const names: ReadonlyMap<Capability, string> = new Map(
  [...all.flatMap(({ capabilities }) => capabilities), ...common].map(({ id, name }) => [id, name]),
)

/** Every capability that a lab can need. */
export const knownCapabilities: readonly Capability[] = [...names.keys()]

/** What a sentence calls a capability; its id where it is not known. */
export function capabilityName(id: Capability): string {
  return names.get(id) ?? id
}
