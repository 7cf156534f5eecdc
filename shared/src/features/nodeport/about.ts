import type { FeatureAbout } from '../feature.ts'
import { capabilityOfHook, hook, hookName, needsOfHook } from './hooks.ts'
import { roleNames } from './roles.ts'

const ON_CLUSTER = 'On a cluster Cilium forwards a NodePort’s packets. The lab “XDP on a real cluster” measures that.'

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
    {
      id: 'nodeport-rate',
      name: 'making, forwarding and counting packets on one CPU',
      needs: ['pod-network'],
    },
  ],
  without: {
    'pod-network':
      'Between two hosts a packet leaves the CPU that makes it, so its whole way can’t be measured on one CPU. Choose this machine, or start the server with one host.',
  },
  onCluster: { 'pod-network': ON_CLUSTER, 'forwarding-node': ON_CLUSTER },
  roleNames,
  programs: ['nftables', 'iptables'],
  topology: 'forwarder',
} as const satisfies FeatureAbout
