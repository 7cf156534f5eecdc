import type { FeatureAbout } from '../feature.ts'

export const about = {
  id: 'nodeport-cluster',
  name: 'NodePort on a cluster',
  capabilities: [
    { id: 'lb-acceleration', name: 'switching XDP acceleration' },
    { id: 'lb-mode', name: 'switching the way of the replies' },
    { id: 'outside-client', name: 'a client outside of the cluster' },
  ],
} as const satisfies FeatureAbout
