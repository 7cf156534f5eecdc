/** Which testbed runs a feature's labs. Pure. */
import { formatTestbedId, parseTestbedId, type TestbedId } from '../testbed/id.ts'
import { findFeature } from './settings.ts'

/**
 * The testbed for a feature on what a person chose. This machine has a testbed for each topology (`netns`,
 * `netns:forwarder`), of which people choose none: they choose this machine. An id that names a topology stays.
 */
export function testbedFor(feature: string, chosen: TestbedId): TestbedId {
  const { kind, context, owner } = parseTestbedId(chosen)
  const topology = findFeature(feature)?.topology
  if (kind !== 'netns' || context !== null || topology === undefined) return chosen
  return formatTestbedId({ kind, context: topology, owner })
}

/** What a person chose for a testbed: of this machine, the id without the topology. */
export function chosenFor(testbed: TestbedId): TestbedId {
  const { kind, owner } = parseTestbedId(testbed)
  return kind === 'netns' ? formatTestbedId({ kind, context: null, owner }) : testbed
}
