/** The server's half of all features. A new feature is a folder next to this file and an entry here. */
import { bigTcp } from './big-tcp/feature.ts'
import { clusterIp } from './cluster-ip/feature.ts'
import { limits } from './limits/feature.ts'
import { loadBalancing } from './load-balancing/feature.ts'
import { nat64 } from './nat64/feature.ts'
import { nat64Cluster } from './nat64-cluster/feature.ts'
import { nodeportCluster } from './nodeport-cluster/feature.ts'
import { nodeport } from './nodeport/feature.ts'
import { podDevices } from './pod-devices/feature.ts'
import { tunnels } from './tunnel-path/feature.ts'
import { createRegistry, derived } from '@expresslane/shared/base/registry'
import { findFeature } from '@expresslane/shared/features/settings'
import type { CiliumKey } from '../testbeds/cilium-key.ts'
import type { ClusterChecks } from '../testbeds/cluster-view.ts'
import type { Topology } from '../testbeds/topology.ts'
import type { ServerFeature } from './feature.ts'

export const serverFeatures = createRegistry<ServerFeature>([
  bigTcp,
  nodeport,
  nodeportCluster,
  podDevices,
  loadBalancing,
  clusterIp,
  nat64,
  nat64Cluster,
  limits,
  tunnels,
])

/** The topologies of the features on a machine, by the context of their testbeds. */
export const topologies = derived(
  (): ReadonlyMap<string | null, Topology> =>
    new Map(
      serverFeatures
        .all()
        .flatMap(({ id, topology }) =>
          topology === undefined ? [] : [[findFeature(id)?.topology ?? null, topology] as const],
        ),
    ),
)

/** The keys of Cilium, and the checks of a cluster, of all features. */
export const ciliumKeys = derived((): readonly CiliumKey[] =>
  serverFeatures.all().flatMap((one) => one.ciliumKeys ?? []),
)
export const clusterChecks = derived((): readonly ClusterChecks[] =>
  serverFeatures.all().flatMap((one) => one.clusterChecks ?? []),
)
