/** Cilium's gateway between IPv4 and IPv6, on a cluster that has it: nothing is switched, and nothing is measured. */
import { i18n } from '../../base/language.ts'
import { CLIENT, SERVER } from '../../testbed/placement.ts'
import type { Feature } from '../feature.ts'
import { about } from './about.ts'

export const nat64Cluster = {
  ...about,
  settings: [],
  roles: [CLIENT, SERVER],
  metrics: [],
  benchmarks: [],
  proof: () => [],
  probes: [
    /** The client speaks IPv6, and calls the server at its IPv4 address behind the gateway's prefix. */
    { id: 'ipv4-server', needs: ['cilium-gateway', 'capture'] },
    /** The client speaks IPv4, and calls an IPv6 service behind the gateway. */
    { id: 'ipv6-server', needs: ['cilium-gateway', 'capture'] },
  ],
  nameArm: () => ({ id: 'as-it-is', label: i18n.t('As it is') }),
  phrase: () => i18n.t('as the cluster is'),
  onYourCluster:
    /*i18n*/ '`nat46x64Gateway.enabled` in Cilium’s Helm values compiles the gateway into the datapath of every node. Do not toggle it on a live cluster: it has cut the traffic of tunnel devices (cilium/cilium#32457). Try it on a cluster of its own, with the calls of this lab.',
} as const satisfies Feature
