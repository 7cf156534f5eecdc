/** The testbed that runs a feature's labs. Pure. */
import { i18n } from '../base/language.ts'
import { formatTestbedId, hasTopologies, parseTestbedId, type TestbedId } from '../testbed/id.ts'
import { testbedKind } from '../testbed/testbed.ts'
import { abouts } from './abouts.ts'
import type { FeatureAbout } from './feature.ts'

function findAbout(id: string): FeatureAbout | undefined {
  return abouts.all().find((one) => one.id === id)
}

/**
 * The testbed for a feature on the machine or cluster that a person chose. A machine has a testbed for each topology
 * (`netns`, `netns:forwarder`), which people do not see: they choose the machine. An id that names a topology
 * stays.
 */
export function testbedFor(feature: string, chosen: TestbedId): TestbedId {
  const { kind, context, owner } = parseTestbedId(chosen)
  const topology = findAbout(feature)?.topology
  if (!hasTopologies(kind) || context !== null || topology === undefined) return chosen
  return formatTestbedId({ kind, context: topology, owner })
}

/** All testbeds that can belong to somebody: on each machine one for each topology of the features. */
export function testbedsOf(owner: string): TestbedId[] {
  const topologies = abouts.all().map(({ topology = null }) => topology)
  return testbedKind.options
    .filter(hasTopologies)
    .flatMap((kind) => [...new Set([null, ...topologies])].map((context) => formatTestbedId({ kind, context, owner })))
}

/** The testbed that a person chose to get this testbed: on a machine, the id without the topology. */
export function chosenFor(testbed: TestbedId): TestbedId {
  const { kind, owner } = parseTestbedId(testbed)
  return hasTopologies(kind) ? formatTestbedId({ kind, context: null, owner }) : testbed
}

/** A testbed of the same machine besides the testbed that a person chose. */
export interface OtherTopology {
  readonly testbed: TestbedId
  /** The names of the features that run on it. */
  readonly features: readonly string[]
}

/** The other testbeds of a chosen machine on which features of these ids run. */
export function otherTopologies(features: readonly string[], chosen: TestbedId): OtherTopology[] {
  const others = Map.groupBy(new Set(features), (feature) => testbedFor(feature, chosen))
  others.delete(chosen)
  return [...others].map(([testbed, ids]) => ({
    testbed,
    features: ids.flatMap((id) => findAbout(id)?.name ?? []).map((name) => i18n.t(name)),
  }))
}
