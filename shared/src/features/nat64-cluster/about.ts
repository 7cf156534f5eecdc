import type { FeatureAbout } from '../feature.ts'

export const about = {
  id: 'nat64-cluster',
  name: /*i18n*/ 'NAT46/64 on a cluster',
  capabilities: [
    { id: 'cilium-gateway', name: /*i18n*/ 'looking at Cilium’s gateway between IPv4 and IPv6', needs: ['cilium'] },
  ],
  without: { cilium: /*i18n*/ 'It calls the gateway of Cilium: choose a cluster.' },
} as const satisfies FeatureAbout
