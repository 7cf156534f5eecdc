import type { FeatureAbout } from '../feature.ts'

export const about = {
  id: 'nodeport-cluster',
  name: 'NodePort on a cluster',
  capabilities: [
    { id: 'lb-acceleration', name: 'switching XDP acceleration', needs: ['cilium-config'] },
    { id: 'lb-mode', name: 'switching the way of the replies', needs: ['cilium-config'] },
    { id: 'outside-client', name: 'a client outside of the cluster', needs: ['outside-client'] },
  ],
  without: { 'cilium-config': 'It switches a setting of Cilium: choose a cluster.' },
} as const satisfies FeatureAbout
