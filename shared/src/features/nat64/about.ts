import type { FeatureAbout } from '../feature.ts'
import { roleNames } from './roles.ts'

export const about = {
  id: 'nat64',
  name: 'NAT46/64',
  capabilities: [
    { id: 'translator', name: /*i18n*/ 'choosing what translates between IPv4 and IPv6', needs: ['pod-network'] },
    { id: 'translator-tayga', name: 'tayga', needs: ['pod-network', 'tun'] },
    { id: 'translator-bpf', name: /*i18n*/ 'translation in BPF', needs: ['pod-network', 'bpf'] },
    { id: 'translator-pages', name: /*i18n*/ 'opening pages through a translator', needs: ['pod-network', 'pages'] },
  ],
  onCluster: {
    'pod-network':
      /*i18n*/ 'On a cluster Expresslane makes no gateway between IPv4 and IPv6: choose this machine or the counted machine. All that Cilium still has of its gateways is nat46x64Gateway.enabled, which is compiled into the datapath of every node. Switching it on cut traffic on tun devices (cilium/cilium#32457) and, with native routing, IPv4 between pods of different nodes. The mapping of an IPv4 address and port to a service over IPv6 went in 2025 (cilium/cilium#39084). The lab “NAT46/64 as your cluster has it” looks at a gateway that is on.',
  },
  roleNames,
  programs: ['tayga'],
  topology: 'gateway',
} as const satisfies FeatureAbout
