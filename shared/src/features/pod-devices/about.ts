import type { FeatureAbout } from '../feature.ts'
import { roleNames } from './roles.ts'

export const about = {
  id: 'pod-devices',
  name: /*i18n*/ 'Pod devices',
  capabilities: [
    { id: 'pod-device', name: /*i18n*/ 'choosing the device of the pods', needs: ['pod-network'] },
    {
      id: 'pod-device-conntrack',
      name: /*i18n*/ 'tracking connections on the nodes',
      needs: ['pod-network', 'nftables'],
    },
    { id: 'pod-device-bpf', name: /*i18n*/ 'eBPF host routing', needs: ['pod-network', 'bpf'] },
    { id: 'pod-device-netkit', name: /*i18n*/ 'netkit devices', needs: ['pod-network', 'netkit'] },
    {
      id: 'pod-device-netkit-bpf',
      name: /*i18n*/ 'netkit devices with BPF programs',
      needs: ['pod-network', 'netkit', 'bpf'],
    },
  ],
  onCluster: {
    'pod-network':
      /*i18n*/ 'On a cluster the device of the pods can’t be switched: Cilium fixes it when its agents are installed. To compare two clusters, measure each as it is on its Bench page, with one arm, and compare their recordings.',
  },
  roleNames,
  programs: ['veth', 'netkit'],
  topology: 'devices',
} as const satisfies FeatureAbout
