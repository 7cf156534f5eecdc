import type { FeatureAbout } from '../feature.ts'
import { capabilityOfHook, hook, hookName, needsOfHook } from './hooks.ts'
import { roleNames } from './roles.ts'

export const about = {
  id: 'nodeport',
  name: 'NodePort',
  capabilities: [
    ...hook.options.flatMap((one) => {
      const id = capabilityOfHook[one]
      return id === null ? [] : [{ id, name: `forwarding with ${hookName[one]}`, needs: needsOfHook[one] }]
    }),
    {
      id: 'nodeport-thread',
      name: 'forwarding in a kernel thread whose CPU and priority are chosen',
      needs: ['pod-network', 'kernel-thread'],
    },
  ],
  onCluster: {
    'pod-network': 'On a cluster Cilium forwards a NodePort’s packets. The lab “XDP on a real cluster” measures that.',
  },
  roleNames,
  programs: ['nftables', 'iptables'],
  topology: 'forwarder',
} as const satisfies FeatureAbout
