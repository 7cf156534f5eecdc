/** Cilium's gateway between IPv4 and IPv6 on a cluster that has it: it is called as it is, and nothing is switched. */
import type { ServerFeature } from '../feature.ts'
import { ipv4Server } from './ipv4-server.ts'
import { ipv6Server } from './ipv6-server.ts'
import { clusterChecks } from './cluster-checks.ts'

export const nat64Cluster = {
  id: 'nat64-cluster',
  observe: () => [],
  observeCapture: null,
  clusterChecks,
  podSettings: [],
  probes: { 'ipv4-server': ipv4Server, 'ipv6-server': ipv6Server },
  sentences: null,
} as const satisfies ServerFeature
