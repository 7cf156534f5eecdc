import type { FeatureAbout } from '../feature.ts'

export const about = {
  id: 'nat64-cluster',
  name: 'NAT46/64 on a cluster',
  capabilities: [
    { id: 'cilium-gateway', name: 'looking at Cilium’s gateway between IPv4 and IPv6', needs: ['cilium'] },
  ],
  without: { cilium: 'It calls the gateway of Cilium: choose a cluster.' },
} as const satisfies FeatureAbout
