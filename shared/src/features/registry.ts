/** All features. A new feature is a folder next to this file and an entry here. */
import { bigTcp } from './big-tcp/feature.ts'
import { nodeportCluster } from './nodeport-cluster/feature.ts'
import { nodeport } from './nodeport/feature.ts'
import type { Feature } from './feature.ts'

export const features = [bigTcp, nodeport, nodeportCluster] as const satisfies readonly Feature[]
