/** The preflight's checks of a cluster's reading, from the outside in. */
import type { Check } from '@expresslane/shared/testbed/testbed'
import { agentsCheck, ciliumCheck, versionChecks } from './checks-agents.ts'
import { datapathChecks } from './checks-datapath.ts'
import { gatewayChecks } from './checks-gateway.ts'
import { kernelChecks, podAddressChecks, schedulableCheck, wireCheck } from './checks-nodes.ts'
import { nodeportChecks } from './checks-nodeport.ts'
import { leaseCheck, overridesCheck, ownershipChecks } from './checks-settings.ts'
import { captureCheck, imageCheck, iperf3Check, namespaceCheck } from './checks-workload.ts'
import { clusterFacts, landing, viewAgents, type ClusterReading } from '../facts/cluster-reading.ts'
import { knownBugChecks } from './known-bugs.ts'
import { nameOf } from '../api/nodes.ts'
import { toSettings } from '../datapath/settings.ts'

/** Facts that are unknown without Cilium, or because an agent does not answer, are missing. */
function* ciliumChecks(reading: ClusterReading): Generator<Check, void, void> {
  const { daemonSet, settings } = reading
  yield ciliumCheck(daemonSet, settings !== null)
  if (daemonSet === null || settings === null) return
  const facts = clusterFacts(reading)
  const nodes = landing(facts.nodes)
  const names = new Set(nodes.map(({ name }) => name))
  const agents = viewAgents(reading).filter(({ node }) => names.has(node))
  yield agentsCheck(agents)
  const readable = agents.filter(({ unreadable }) => unreadable === null)
  const asked = new Set(readable.map(({ node }) => node))
  const known = nodes.filter(({ name }) => asked.has(name))
  if (readable.length > 0) {
    yield* versionChecks(readable)
    yield* datapathChecks(readable, known)
    yield* gatewayChecks(settings, readable)
  }
  yield* podAddressChecks(
    reading.nodes.filter((node) => names.has(nameOf(node))),
    agents,
  )
  yield* knownBugChecks(known, {
    routing: facts.routing,
    ipv6On: toSettings(settings).intended.ipv6,
    tunnels: readable.flatMap(({ node, tunnels }) => tunnels.map((device) => `${node}/${device}`)),
  })
  yield* ownershipChecks([settings, daemonSet])
  yield overridesCheck(reading.overrides.filter((override) => override.nodes.some((node) => names.has(node))))
}

/** @param now milliseconds since the epoch */
export function* clusterChecks(reading: ClusterReading, now: number): Generator<Check, void, void> {
  yield schedulableCheck(reading.nodes)
  yield* kernelChecks(landing(clusterFacts(reading).nodes))
  yield* ciliumChecks(reading)
  yield leaseCheck(reading.holder, now)
  const { tools } = reading
  const { namespace, object, image } = reading.workload
  yield namespaceCheck(namespace, object)
  yield imageCheck(image, tools !== null)
  yield* iperf3Check(image, tools)
  yield* captureCheck(namespace, object, image, tools)
  if (reading.nodeport !== undefined) yield* nodeportChecks(reading, reading.nodeport)
  const wire = wireCheck(reading.nodes)
  if (wire !== null) yield wire
}
