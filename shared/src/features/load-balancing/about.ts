import type { FeatureAbout } from '../feature.ts'
import { roleNames } from './roles.ts'

export const about = {
  id: 'load-balancing',
  name: /*i18n*/ 'Load balancing',
  capabilities: [
    {
      id: 'load-balancing',
      name: /*i18n*/ 'choosing how connections are balanced',
      needs: ['pod-network', 'nftables'],
    },
    { id: 'load-balancing-bpf', name: /*i18n*/ 'balancing with TC and XDP', needs: ['pod-network', 'bpf'] },
    {
      id: 'load-balancing-replies',
      name: /*i18n*/ 'following a reply of a backend',
      needs: ['pod-network', 'capture'],
    },
  ],
  onCluster: {
    'pod-network':
      /*i18n*/ 'On a cluster Cilium balances connections, with random backends or with Maglev (`loadBalancer.algorithm`), and the lab breaks none of a cluster’s connections: choose this machine or the counted machine.',
  },
  roleNames,
  programs: ['nftables', 'conntrack', 'BPF'],
  topology: 'balancer',
} as const satisfies FeatureAbout
