/** Devices between a pod and its node, and the cost of each for a packet. */
import { pairTools } from '../../tools/registry.ts'
import type { Feature } from '../feature.ts'
import { about } from './about.ts'
import { metrics } from './metrics.ts'
import { presets } from './presets.ts'
import { proof } from './proof.ts'
import { published } from './published.ts'
import { roles } from './roles.ts'
import { extraSeconds, nameArm, phrase, settings } from './settings.ts'

export const podDevices = {
  ...about,
  settings,
  roles,
  metrics,
  benchmarks: pairTools,
  proof,
  extraSeconds,
  nameArm,
  phrase,
  presets,
  published,
  onYourCluster:
    /*i18n*/ 'Most of the gain comes from eBPF host routing, which needs kube-proxy replacement and BPF masquerading: look for `Host Routing: BPF` in `cilium-dbg status`. netkit (`bpf.datapathMode: netkit`, from Cilium 1.16 and kernel 6.8) adds little to that, and can’t be switched on a live cluster: choose it for a new one.',
} as const satisfies Feature
