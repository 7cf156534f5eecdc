/** All features. A new feature is a folder next to this file, an entry here and an entry in `abouts.ts`. */
import { createRegistry } from '../base/registry.ts'
import type { ourAbouts } from './abouts.ts'
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
import type { Feature } from './feature.ts'

/** Both registries have the same features in the same order. */
type Whole<Of extends readonly unknown[]> = { readonly [Place in keyof Of]: Feature & Of[Place] }

const ours = [
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
] as const satisfies Whole<typeof ourAbouts>

export const features = createRegistry<Feature>(ours)
