/** The names of all features, and where their labs run. It loads with the start page: keep it small. */
import { createRegistry } from '../base/registry.ts'
import { about as bigTcp } from './big-tcp/about.ts'
import { about as clusterIp } from './cluster-ip/about.ts'
import { about as limits } from './limits/about.ts'
import { about as loadBalancing } from './load-balancing/about.ts'
import { about as nat64 } from './nat64/about.ts'
import { about as nat64Cluster } from './nat64-cluster/about.ts'
import { about as nodeportCluster } from './nodeport-cluster/about.ts'
import { about as nodeport } from './nodeport/about.ts'
import { about as podDevices } from './pod-devices/about.ts'
import { about as tunnels } from './tunnel-path/about.ts'
import type { FeatureAbout } from './feature.ts'

/** In the order of the registry of whole features. */
export const ourAbouts = [
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
] as const satisfies readonly FeatureAbout[]

export const abouts = createRegistry<FeatureAbout>(ourAbouts)
