/** The server's half of all features. A new feature is a folder next to this file and an entry here. */
import { bigTcp } from './big-tcp/feature.ts'
import { nat64 } from './nat64/feature.ts'
import { nat64Cluster } from './nat64-cluster/feature.ts'
import { nodeportCluster } from './nodeport-cluster/feature.ts'
import { nodeport } from './nodeport/feature.ts'
import { podDevices } from './pod-devices/feature.ts'
import { findFeature } from '@expresslane/shared/features/settings'
import type { CiliumKey } from '../testbeds/cilium-key.ts'
import type { ClusterChecks } from '../testbeds/cluster-view.ts'
import type { Topology } from '../testbeds/topology.ts'
import type { ServerFeature } from './feature.ts'

export const serverFeatures = [
  bigTcp,
  nodeport,
  nodeportCluster,
  podDevices,
  nat64,
  nat64Cluster,
] as const satisfies readonly ServerFeature[]

const all: readonly ServerFeature[] = serverFeatures

/** The topologies of the features on a machine, by the context of their testbeds. */
export const topologies: ReadonlyMap<string | null, Topology> = new Map(
  all.flatMap(({ id, topology }) =>
    topology === undefined ? [] : [[findFeature(id)?.topology ?? null, topology] as const],
  ),
)

/** What the features bring to clusters. */
export const ciliumKeys: readonly CiliumKey[] = all.flatMap((one) => one.ciliumKeys ?? [])
export const clusterChecks: readonly ClusterChecks[] = all.flatMap((one) => one.clusterChecks ?? [])
