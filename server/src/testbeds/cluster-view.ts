/** The preflight's reading of a cluster, for the checks of features. */
import type { Family } from '@expresslane/shared/base/units'
import type { Check, ClusterNode } from '@expresslane/shared/testbed/testbed'
import type { LabError } from '@expresslane/shared/base/errors'
import type { Offloads } from '../tools/ethtool.ts'

/** The ConfigMap's key of the gateway between IPv4 and IPv6, which is read and never switched. */
export const GATEWAY_KEY = 'enable-nat46x64-gateway'

/** Null: could not be read, or this release does not report it. */
export interface AgentView {
  readonly node: string
  readonly pod: string | null
  readonly ready: boolean
  /** Why it could not be asked; then all below is null or empty. */
  readonly unreadable: string | null
  /** `Ok`, `Warning`, `Failure`. */
  readonly state: string | null
  readonly troubles: readonly string[]
  readonly version: string | null
  readonly datapathMode: string | null
  /** `native`, or `tunnel` with its protocol. */
  readonly routing: string | null
  readonly hostRouting: string | null
  readonly masquerading: string | null
  readonly kubeProxyReplacement: string | null
  readonly encryption: string | null
  /** Whether XDP forwards services' packets, in Cilium's words; null if Cilium does not forward any. */
  readonly acceleration: string | null
  /** The prefix of the gateway between IPv4 and IPv6, `Enabled` if that is all that is known, or `Disabled`. */
  readonly gateway: string | null
  /** The congestion control of the Bandwidth Manager, `BBR` or `CUBIC`, or `Disabled`. */
  readonly bandwidthManager: string | null
  readonly podFamilies: Readonly<Record<Family, boolean>> | null
  readonly devices: ClusterNode['devices']
  /** Does its `ip` show the IPv4 sizes? */
  readonly showsIpv4: boolean | null
  /** Devices of tunnels between nodes. */
  readonly tunnels: ClusterNode['devices']
}

/** A native device that is a veth. */
export interface Wire {
  readonly node: string
  readonly device: string
  /** Null if ethtool could not read them. */
  readonly offloads: Offloads | null
}

export interface OutsideReading {
  /** netperf's version on the machine outside, or why it could not be asked. */
  readonly client: string | LabError
  readonly wires: readonly Wire[]
}

export interface ClusterView {
  /** The data of Cilium's ConfigMap. */
  readonly config: Readonly<Record<string, string>>
  /** The nodes that accept the workload's pods. */
  readonly nodes: readonly ClusterNode[]
  /** The agents of these nodes that could be read. */
  readonly agents: readonly AgentView[]
  /** Null if no client can run outside of the cluster. */
  readonly outside: OutsideReading | null
  /** Why the value that a key has now is not switched; null if it can be. */
  unknownValue(key: string): string | null
}

/** The checks of a feature's needs beyond a healthy Cilium. */
export type ClusterChecks = (view: ClusterView) => Iterable<Check>

/** `6.18.44 (kind-worker, kind-worker2)`, or the value alone if all are equal. */
export function byValue(values: readonly (readonly [where: string, value: string])[]): string {
  const places = new Map<string, string[]>()
  for (const [where, value] of values) places.set(value, [...(places.get(value) ?? []), where])
  if (places.size === 1) return `${[...places.keys()][0] ?? ''} on ${values.map(([where]) => where).join(', ')}`
  return [...places].map(([value, where]) => `${value} on ${where.join(', ')}`).join('; ')
}
