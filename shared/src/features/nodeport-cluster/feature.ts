/** NodePort on a real cluster: Cilium's load balancer at TC or with XDP, called from outside. */
import type { Feature } from '../feature.ts'
import { nodeportConnect, nodeportEcho } from './benchmarks.ts'
import { metrics } from './metrics.ts'
import { proof } from './proof.ts'
import { ENTRY, roles } from './roles.ts'
import { nameArm, phrase, settings } from './settings.ts'

export const nodeportCluster = {
  id: 'nodeport-cluster',
  name: 'NodePort on a cluster',
  settings,
  capabilities: [
    { id: 'lb-acceleration', name: 'switching XDP acceleration' },
    { id: 'outside-client', name: 'a client outside of the cluster' },
  ],
  roles,
  called: ENTRY,
  metrics,
  benchmarks: [nodeportConnect, nodeportEcho],
  proof,
  nameArm,
  phrase,
} as const satisfies Feature
