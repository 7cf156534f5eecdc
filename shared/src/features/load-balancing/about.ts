import type { FeatureAbout } from '../feature.ts'
import { roleNames } from './roles.ts'

export const about = {
  id: 'load-balancing',
  name: 'Load balancing',
  capabilities: [
    { id: 'load-balancing', name: 'choosing how connections are balanced', needs: ['pod-network', 'nftables'] },
    { id: 'load-balancing-bpf', name: 'balancing with TC and XDP', needs: ['pod-network', 'bpf'] },
    { id: 'load-balancing-replies', name: 'following a reply of a backend', needs: ['pod-network', 'capture'] },
  ],
  onCluster: {
    'pod-network':
      'On a cluster Cilium balances connections, with random backends or with Maglev (`loadBalancer.algorithm`), and the lab breaks none of a cluster’s connections: choose this machine or the counted machine.',
  },
  roleNames,
  programs: ['nftables', 'conntrack', 'BPF'],
  topology: 'balancer',
} as const satisfies FeatureAbout
