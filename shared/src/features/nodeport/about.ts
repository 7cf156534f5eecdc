import type { FeatureAbout } from '../feature.ts'
import { capabilityOfHook, hook, hookName } from './hooks.ts'
import { roleNames } from './roles.ts'

export const about = {
  id: 'nodeport',
  name: 'NodePort',
  capabilities: [
    ...hook.options.flatMap((one) => {
      const id = capabilityOfHook[one]
      return id === null ? [] : [{ id, name: `forwarding with ${hookName[one]}` }]
    }),
    { id: 'nodeport-thread', name: 'forwarding in a kernel thread whose CPU and priority are chosen' },
  ],
  roleNames,
  programs: ['nftables', 'iptables'],
  topology: 'forwarder',
} as const satisfies FeatureAbout
