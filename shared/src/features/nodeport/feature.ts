/** NodePort: how a packet from outside reaches a pod, and its cost for the node. */
import type { Feature } from '../feature.ts'
import { about } from './about.ts'
import { forwardMax, newFlows } from './benchmarks.ts'
import { forwardPaced } from './forward-paced.ts'
import { metrics } from './metrics.ts'
import { presets } from './presets.ts'
import { proof } from './proof.ts'
import { published } from './published.ts'
import { FORWARDER, roles } from './roles.ts'
import { extraSeconds, nameArm, phrase, settings } from './settings.ts'

export const nodeport = {
  ...about,
  settings,
  roles,
  called: FORWARDER,
  metrics,
  benchmarks: [newFlows, forwardMax, forwardPaced],
  proof,
  extraSeconds,
  nameArm,
  phrase,
  presets,
  published,
  onYourCluster:
    'Cilium with kube-proxy replacement forwards NodePorts at TC, and with XDP once `bpf-lb-acceleration` is `native` and the agents have restarted. With kube-proxy in iptables mode, each new service makes new connections slower; the nftables mode (stable since Kubernetes 1.33) avoids that. Measure at your own rate before you decide: a node that is mostly idle gains little.',
} as const satisfies Feature
