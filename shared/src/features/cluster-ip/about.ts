import type { FeatureAbout } from '../feature.ts'

/** The client's node, which translates packets. Without a translation there it only forwards them. */
export const SERVICE_NODE = 'service-node'

export const about = {
  id: 'cluster-ip',
  name: 'Cluster IPs',
  capabilities: [
    { id: 'cluster-ip', name: 'reaching a cluster IP', needs: ['pod-network', 'nftables'] },
    { id: 'cluster-ip-socket', name: 'translation at the socket', needs: ['pod-network', 'cgroup-bpf', 'nftables'] },
    { id: 'cluster-ip-tc', name: 'translation with TC', needs: ['pod-network', 'bpf', 'nftables'] },
    { id: 'cluster-ip-iptables', name: 'translation with iptables', needs: ['pod-network', 'iptables', 'nftables'] },
    { id: 'cluster-ip-capture', name: 'following a call', needs: ['pod-network', 'capture'] },
  ],
  onCluster: {
    'pod-network':
      'On a cluster Cilium translates cluster IPs, and `cilium-dbg status --verbose` says under “Socket LB” whether at the socket. A lab must not switch that: choose this machine or the counted machine.',
  },
  roleNames: { [SERVICE_NODE]: 'node' },
  programs: ['nftables', 'iptables'],
  topology: 'cluster-ip',
} as const satisfies FeatureAbout
