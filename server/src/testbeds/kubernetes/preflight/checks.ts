/** The preflight's checks of a cluster's reading, from the outside in. */
import type { Check } from '@expresslane/shared/testbed/testbed'
import type { ClusterChecks } from '../../cluster-view.ts'
import { agentsCheck, ciliumCheck } from './checks-agents.ts'
import { podAddressChecks, schedulableCheck, wireCheck } from './checks-nodes.ts'
import { leaseCheck, leftCheck, overridesCheck, ownershipChecks } from './checks-settings.ts'
import { captureCheck, imageCheck, iperf3Check, namespaceCheck } from './checks-workload.ts'
import { clusterFacts, landing, viewAgents, type ClusterReading } from '../facts/cluster-reading.ts'
import { nameOf } from '../api/nodes.ts'
import { toSettings } from '../datapath/settings.ts'
import { unknownValue } from '../switch/switchable.ts'

/** Facts that are unknown without Cilium, or because an agent does not answer, are missing. */
function* ciliumChecks(reading: ClusterReading, ofFeatures: readonly ClusterChecks[]): Generator<Check, void, void> {
  const { daemonSet, settings, keys, outside = null } = reading
  const isThere = daemonSet !== null && settings !== null
  yield ciliumCheck(daemonSet, settings !== null)
  const nodes = landing(clusterFacts(reading).nodes)
  const names = new Set(nodes.map(({ name }) => name))
  const all = isThere ? viewAgents(reading).filter(({ node }) => names.has(node)) : []
  if (isThere) yield agentsCheck(all)
  const agents = all.filter(({ unreadable }) => unreadable === null)
  const stored = toSettings(settings ?? {}, keys)
  const why = (key: string): string | null => {
    const known = keys.find((one) => one.key === key)
    return known === undefined ? null : unknownValue(known, stored)
  }
  const view = { config: settings?.data ?? {}, nodes, agents, outside, unknownValue: why }
  for (const checks of ofFeatures) yield* checks(view)
  if (!isThere) return
  yield* podAddressChecks(
    reading.nodes.filter((node) => names.has(nameOf(node))),
    all,
  )
  const left = leftCheck(settings)
  if (left !== null) yield left
  yield* ownershipChecks([settings, daemonSet], keys)
  yield overridesCheck(reading.overrides.filter((override) => override.nodes.some((node) => names.has(node))))
}

/**
 * @param ofFeatures the checks of features
 * @param now milliseconds since the epoch
 */
export function* clusterChecks(
  reading: ClusterReading,
  ofFeatures: readonly ClusterChecks[],
  now: number,
): Generator<Check, void, void> {
  yield schedulableCheck(reading.nodes)
  yield* ciliumChecks(reading, ofFeatures)
  yield leaseCheck(reading.holder, now)
  const { tools } = reading
  const { namespace, object, image } = reading.workload
  yield namespaceCheck(namespace, object)
  yield imageCheck(reading)
  yield* iperf3Check(image, tools)
  yield* captureCheck(namespace, object, image, tools)
  const wire = wireCheck(reading.nodes)
  if (wire !== null) yield wire
}
