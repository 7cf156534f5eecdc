import type { FeatureAbout } from '../feature.ts'
import { roleNames } from './roles.ts'

export const about = {
  id: 'limits',
  name: /*i18n*/ 'Limits and long paths',
  capabilities: [
    { id: 'pod-limit-queue', name: /*i18n*/ 'limiting a pod with a queue', needs: ['pod-network', 'tbf'] },
    { id: 'pod-limit-police', name: /*i18n*/ 'limiting a pod by policing', needs: ['pod-network', 'police'] },
    { id: 'pod-limit-edt', name: /*i18n*/ 'limiting a pod by departure times', needs: ['pod-network', 'fq', 'bpf'] },
    { id: 'long-path', name: /*i18n*/ 'a long path with loss', needs: ['pod-network', 'netem', 'congestion-control'] },
  ],
  onCluster: {
    'pod-network':
      /*i18n*/ 'On a cluster Cilium makes the network of the pods. Its Bandwidth Manager limits pods by departure times, and preflight shows whether it is on. Labs do not switch it: what it sets on the nodes stays when it is switched off.',
  },
  roleNames,
  programs: ['tbf', 'fq', 'netem'],
  topology: 'limits',
} as const satisfies FeatureAbout
