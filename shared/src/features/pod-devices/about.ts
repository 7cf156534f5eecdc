import type { FeatureAbout } from '../feature.ts'
import { roleNames } from './roles.ts'

export const about = {
  id: 'pod-devices',
  name: 'Pod devices',
  capabilities: [
    { id: 'pod-device', name: 'choosing the device of the pods' },
    { id: 'pod-device-conntrack', name: 'tracking connections on the nodes' },
    { id: 'pod-device-bpf', name: 'eBPF host routing' },
    { id: 'pod-device-netkit', name: 'netkit devices' },
    { id: 'pod-device-netkit-bpf', name: 'netkit devices with BPF programs' },
  ],
  roleNames,
  programs: ['veth', 'netkit'],
  topology: 'devices',
} as const satisfies FeatureAbout
