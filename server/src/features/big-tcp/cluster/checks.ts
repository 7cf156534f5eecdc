/** The needs of BIG TCP in a cluster: kernels, Cilium's version and datapath, and none of the known bugs. */
import type { Check } from '@expresslane/shared/testbed/testbed'
import { isTrue } from '../../../testbeds/cilium-key.ts'
import type { ClusterView } from '../../../testbeds/cluster-view.ts'
import { datapathChecks } from './datapath.ts'
import { knownBugChecks } from './known-bugs.ts'
import { kernelChecks, versionChecks } from './versions.ts'

export function* clusterChecks({ config, nodes, agents }: ClusterView): Generator<Check, void, void> {
  yield* kernelChecks(nodes)
  const asked = new Set(agents.map(({ node }) => node))
  const known = nodes.filter(({ name }) => asked.has(name))
  if (agents.length > 0) {
    yield* versionChecks(agents)
    yield* datapathChecks(agents, known)
  }
  const routings = [...new Set(agents.flatMap(({ routing }) => routing ?? []))]
  yield* knownBugChecks(known, {
    routing: routings.length === 0 ? null : routings.join(', '),
    ipv6On: isTrue(config['enable-ipv6-big-tcp']),
    tunnels: agents.flatMap(({ node, tunnels }) => tunnels.map(({ name }) => `${node}/${name}`)),
  })
}
