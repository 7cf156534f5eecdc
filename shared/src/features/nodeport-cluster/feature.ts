/** NodePort on a real cluster: Cilium's load balancer at TC or with XDP, called from outside. */
import type { Feature } from '../feature.ts'
import { about } from './about.ts'
import { nodeportConnect, nodeportEcho } from './benchmarks.ts'
import { metrics } from './metrics.ts'
import { presets } from './presets.ts'
import { proof } from './proof.ts'
import { ENTRY, exposedRoles } from '../../testbed/exposed.ts'
import { nameArm, phrase, settings } from './settings.ts'

export const nodeportCluster = {
  ...about,
  settings,
  roles: exposedRoles,
  called: ENTRY,
  metrics,
  benchmarks: [nodeportConnect, nodeportEcho],
  proof,
  nameArm,
  phrase,
  presets,
  onYourCluster:
    'Set `bpf-lb-acceleration` to `native`, and `bpf-lb-mode` to `dsr` or `hybrid` for replies that go directly to the client. Set both in your Helm values rather than in the ConfigMap: the next upgrade reverts a patch there. The agents read both only when they start. `cilium-dbg status --verbose` says whether XDP is `Native` on each node.',
} as const satisfies Feature
