/** NodePort: how a packet from outside reaches a pod, and what the node pays for it. */
import type { Feature } from '../feature.ts'
import { forwardMax, newFlows } from './benchmarks.ts'
import { forwardPaced } from './forward-paced.ts'
import { hook, hookName, capabilityOfHook } from './hooks.ts'
import { metrics } from './metrics.ts'
import { presets } from './presets.ts'
import { proof } from './proof.ts'
import { FORWARDER, roleNames, roles } from './roles.ts'
import { extraSeconds, nameArm, phrase, settings } from './settings.ts'

export const nodeport = {
  id: 'nodeport',
  name: 'NodePort',
  settings,
  capabilities: [
    ...hook.options.flatMap((one) => {
      const id = capabilityOfHook[one]
      return id === null ? [] : [{ id, name: `forwarding with ${hookName[one]}` }]
    }),
    { id: 'nodeport-thread', name: 'forwarding in a kernel thread with a CPU of its own' },
  ],
  roles,
  roleNames,
  programs: ['nftables', 'iptables'],
  called: FORWARDER,
  topology: 'forwarder',
  metrics,
  benchmarks: [newFlows, forwardMax, forwardPaced],
  proof,
  extraSeconds,
  nameArm,
  phrase,
  presets,
} as const satisfies Feature
