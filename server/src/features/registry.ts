/** The server's half of all features. A new feature is a folder next to this file and an entry here. */
import { bigTcp } from './big-tcp/feature.ts'
import { nat64 } from './nat64/feature.ts'
import { nat64Cluster } from './nat64-cluster/feature.ts'
import { nodeportCluster } from './nodeport-cluster/feature.ts'
import { nodeport } from './nodeport/feature.ts'
import { podDevices } from './pod-devices/feature.ts'
import type { ServerFeature } from './feature.ts'

export const serverFeatures = [
  bigTcp,
  nodeport,
  nodeportCluster,
  podDevices,
  nat64,
  nat64Cluster,
] as const satisfies readonly ServerFeature[]
