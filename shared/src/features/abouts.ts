/** What the start page knows of all features, in the order of the registry. It loads with the page: keep it small. */
import { about as bigTcp } from './big-tcp/about.ts'
import { about as nat64 } from './nat64/about.ts'
import { about as nat64Cluster } from './nat64-cluster/about.ts'
import { about as nodeportCluster } from './nodeport-cluster/about.ts'
import { about as nodeport } from './nodeport/about.ts'
import { about as podDevices } from './pod-devices/about.ts'
import type { FeatureAbout } from './feature.ts'

export const abouts = [
  bigTcp,
  nodeport,
  nodeportCluster,
  podDevices,
  nat64,
  nat64Cluster,
] as const satisfies readonly FeatureAbout[]
