import type { FeatureAbout } from '../feature.ts'

/** The client's node, which translates packets. Without a translation there it only forwards them. */
export const SERVICE_NODE = 'service-node'

export const about = {
  id: 'cluster-ip',
  name: /*i18n*/ 'Cluster IPs',
  capabilities: [
    { id: 'cluster-ip', name: /*i18n*/ 'reaching a cluster IP', needs: ['pod-network', 'nftables'] },
    {
      id: 'cluster-ip-socket',
      name: /*i18n*/ 'translation at the socket',
      needs: ['pod-network', 'cgroup-bpf', 'nftables'],
    },
    { id: 'cluster-ip-tc', name: /*i18n*/ 'translation with TC', needs: ['pod-network', 'bpf', 'nftables'] },
    {
      id: 'cluster-ip-iptables',
      name: /*i18n*/ 'translation with iptables',
      needs: ['pod-network', 'iptables', 'nftables'],
    },
    { id: 'cluster-ip-capture', name: /*i18n*/ 'following a call', needs: ['pod-network', 'capture'] },
  ],
  onCluster: {
    'pod-network':
      /*i18n*/ 'On a cluster Cilium translates cluster IPs, and `cilium-dbg status --verbose` says under “Socket LB” whether at the socket. A lab must not switch that: choose this machine or the counted machine.',
  },
  roleNames: { [SERVICE_NODE]: /*i18n*/ 'node' },
  programs: ['nftables', 'iptables'],
  topology: 'cluster-ip',
} as const satisfies FeatureAbout
