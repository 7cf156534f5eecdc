import type { FeatureAbout } from '../feature.ts'

export const about = {
  id: 'big-tcp',
  name: 'BIG TCP',
  capabilities: [
    { id: 'big-tcp-ipv4', name: /*i18n*/ 'BIG TCP over IPv4', needs: [['packets-ipv4', 'cilium-config']] },
    { id: 'big-tcp-ipv6', name: /*i18n*/ 'BIG TCP over IPv6', needs: [['packets-ipv6', 'cilium-config']] },
    { id: 'size-limit', name: /*i18n*/ 'setting the send limit', needs: ['packet-limit'] },
    { id: 'cpu-placement', name: /*i18n*/ 'choosing CPUs', needs: ['cpus'] },
    { id: 'pod-mtu', name: /*i18n*/ "setting the pods' MTU", needs: ['mtu'] },
    { id: 'agent-settings', name: /*i18n*/ 'trying settings of Cilium’s agents', needs: ['cilium'] },
  ],
  without: { cilium: /*i18n*/ 'It reads and tries the settings of Cilium’s agents: choose a cluster.' },
  onCluster: {
    'packet-limit':
      /*i18n*/ "Cilium sets one size for BIG TCP, the smaller of 192 KiB and the devices' tso_max_size; no other size can be set.",
  },
} as const satisfies FeatureAbout
