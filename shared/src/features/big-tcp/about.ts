import type { FeatureAbout } from '../feature.ts'

export const about = {
  id: 'big-tcp',
  name: 'BIG TCP',
  capabilities: [
    { id: 'big-tcp-ipv4', name: 'BIG TCP over IPv4' },
    { id: 'big-tcp-ipv6', name: 'BIG TCP over IPv6' },
    { id: 'size-limit', name: 'setting the send limit' },
    { id: 'cpu-placement', name: 'choosing CPUs' },
    { id: 'pod-mtu', name: "setting the pods' MTU" },
  ],
} as const satisfies FeatureAbout
