/** BIG TCP: packets beyond 64 KiB inside a host. */
import { iperf3 } from '../../tools/iperf3/iperf3.ts'
import { tcpStream } from '../../tools/netperf/tcp-stream.ts'
import { tcpRr } from '../../tools/netperf/tcp-rr.ts'
import { CLIENT, SERVER } from '../../testbed/placement.ts'
import type { Feature } from '../feature.ts'
import { about } from './about.ts'
import { presets } from './presets.ts'
import { proof } from './proof.ts'
import { published } from './published.ts'
import { nameArm, phrase, rank, settings, unrecordedArms } from './settings.ts'

/** Reading the prerequisites of a cluster, and trying what its agents say without one. */
const prerequisiteProbes = [
  'prerequisites',
  'without-kube-proxy-replacement',
  'without-host-routing',
  'without-masquerade',
  'without-native-routing',
  'without-direct-routes',
]

export const bigTcp = {
  ...about,
  settings,
  roles: [CLIENT, SERVER],
  metrics: [],
  benchmarks: [tcpRr, tcpStream, iperf3],
  proof,
  probes: prerequisiteProbes.map((id) => ({ id, needs: ['agent-settings'] })),
  nameArm,
  phrase,
  presets,
  published,
  unrecordedArms,
  sweep: { noun: 'limit', rank },
  onYourCluster:
    /*i18n*/ 'BIG TCP needs Cilium with eBPF host routing, kube-proxy replacement and no encryption, and kernel 6.3 (IPv4) or 5.19 (IPv6). Set `enableIPv4BIGTCP` and `enableIPv6BIGTCP` in Helm, restart the agents, and recreate your pods: a pod keeps the sizes that it started with. `true` in the ConfigMap does not prove that BIG TCP is on, so read `gso_max_size` with `ip -d link` on a node and in a pod.',
} as const satisfies Feature
