/** Readings of the path's devices, and the layers of a datapath's state: intent, agents and kernel. */
import { z } from 'zod'
import { settings } from '../base/settings.ts'
import { placement } from './placement.ts'
import { bytes, epochMs, type Bytes, type Family } from '../base/units.ts'

/**
 * GSO_LEGACY_MAX_SIZE: the largest packet that the stack builds unless a device is set to more, because an IP header's
 * length field has 16 bits (include/linux/netdevice.h).
 */
export const LEGACY_MAX_SIZE = bytes.parse(65_536)

/** An attribute that the tool did not print is unknown (null), never a default. */
const knownBytes = bytes.nullable()

/** Interface counters since the device was made. */
export const counters = z.strictObject({
  rxPackets: z.number().int().nonnegative(),
  txPackets: z.number().int().nonnegative(),
  rxBytes: bytes,
  txBytes: bytes,
})
export type Counters = z.infer<typeof counters>

/** A device as `ip -d -s -j link` reports it. `gsoMaxSize` and `groMaxSize` are the IPv6 limits. */
export const link = z.strictObject({
  device: z.string(),
  mtu: bytes,
  gsoMaxSize: knownBytes,
  groMaxSize: knownBytes,
  gsoIpv4MaxSize: knownBytes,
  groIpv4MaxSize: knownBytes,
  tsoMaxSize: knownBytes,
  counters: counters.nullable(),
  /** The XDP program that is attached to it, and whether its driver runs it; missing without one. */
  xdp: z.strictObject({ mode: z.enum(['native', 'generic']), program: z.string() }).optional(),
})
export type Link = z.infer<typeof link>

/** A device's place on the path: in a pod, on a node, or on the wire between the nodes. */
export const placeRole = z.enum(['pod', 'node', 'wire'])
export type PlaceRole = z.infer<typeof placeRole>

export const reading = link.extend({
  /** The pod, node or wire: `pod1`, `node1`, `bridge`, ... */
  where: z.string(),
  /** The node of the device, or of its pod; null on the wire. */
  node: z.string().nullable().default(null),
  role: placeRole,
  /**
   * True for a node's native device: a setting of the nodes changes it at once.
   * A pod's own two ends (its eth0 and the node's end of it) change when the pod is created again.
   */
  native: z.boolean(),
})
export type Reading = z.infer<typeof reading>

/** An agent's report; netns has no agents. */
export const agentReport = z.strictObject({
  node: z.string(),
  /** Its actual settings, which can be less than requested; null if they were not read. */
  settings: settings.nullable(),
  /** The object that overrides the intent on this node, such as a `CiliumNodeConfig`; null if none does. */
  overriddenBy: z.string().nullable().default(null),
  /** The largest packet that it reports to build, a kernel attribute as in {@link link}; null if it reports none. */
  maxGso: z.strictObject({ ipv4: knownBytes, ipv6: knownBytes }),
  /** Why it could not be read; null if it could. */
  unreadable: z.string().nullable(),
})
export type AgentReport = z.infer<typeof agentReport>

/** A place in a pod's network stack where packets can be handled, as the kernel reports it. */
export const hookReading = z.strictObject({
  /** The pod. */
  where: z.string(),
  /** The name of the place, as the feature that reads it defines it: `xdp`, `nftables`. */
  hook: z.string(),
  /** Whether there is a program or a rule. */
  present: z.boolean(),
  /** The devices at whose ingress it is; empty if it belongs to the whole pod. */
  devices: z.array(z.string()),
  /** Packet counts by name, since the program or rule was loaded. */
  counts: z.record(z.string(), z.number().int().nonnegative()),
})
export type HookReading = z.infer<typeof hookReading>

export const datapathState = z.strictObject({
  at: epochMs,
  /** The intent. A missing setting is unknown. */
  settings,
  /** Each node's agent report; null if the testbed has no agents. */
  agents: z.array(agentReport).nullable(),
  /** Every device as the kernel reports it, in the order of the path from client to server. */
  kernel: z.array(reading),
  /** Places whose devices could not be read, and why: they are unknown. */
  unread: z.array(z.strictObject({ where: z.string(), reason: z.string() })).default([]),
  /** The pods' values of settings that no device shows. Values that could not be read are missing. */
  carried: settings.default({}),
  /** In the order in which a packet passes them. Hooks that could not be read, or that no feature reads, are missing. */
  hooks: z.array(hookReading).default([]),
  /** The placement of the workload's pods; null without pods. */
  placement: placement.nullable(),
})
export type DatapathState = z.infer<typeof datapathState>

/** The send limit of a family on a device; null when the tool did not print it. */
export function gsoLimit(device: Link, of: Family): Bytes | null {
  return of === 'ipv4' ? device.gsoIpv4MaxSize : device.gsoMaxSize
}

/** The receive (coalescing) limit of a family on a device. */
export function groLimit(device: Link, of: Family): Bytes | null {
  return of === 'ipv4' ? device.groIpv4MaxSize : device.groMaxSize
}

/** A stable name for one device of the path: `node1/eth0`. */
export function deviceKey(device: Pick<Reading, 'where' | 'device'>): string {
  return `${device.where}/${device.device}`
}
