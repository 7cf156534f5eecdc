/** The helper's commands for pods' devices: host routing, a node's path, and pings. */
import { z } from 'zod'
import { argv } from './argv.ts'
import { count, id, reader } from './lines.ts'

export interface RouteOptions {
  /** The node's end of the pod's device, and its wire. */
  readonly device: string
  readonly wire: string
  /** The pod's addresses, at most one of each family. */
  readonly pods: readonly string[]
}

/** Attaches host routing and holds it until SIGTERM. It is ready with its first line ({@link isRouteReady}). Root. */
export const routeArgv = ({ device, wire, pods }: RouteOptions): string[] => [
  ...argv('route', { device, wire }),
  ...pods.flatMap((pod) => ['--pod', pod]),
]

/** How its line begins once both programs are attached. */
export const isRouteReady = (line: string): boolean => line.startsWith('{"type":"ready","of":"route"')

/** Reads a node's path: its two devices, their programs, and the counts of IP, conntrack and programs. */
export const pathArgv = (device: string, wire: string): string[] => argv('path', { device, wire })

/** Pings; it exits with 1 and a result if one stays without an answer. */
export const pingArgv = (address: string, pings: number, timeoutMs: number): string[] =>
  argv('ping', { address, count: pings, 'timeout-ms': timeoutMs })

const end = z
  .object({
    name: z.string(),
    /** `veth`, `netkit`. */
    kind: z.string(),
    /** Attached for packets that come in by it; null: this user may not ask, or the kernel has no tcx. */
    programs: z.array(z.object({ programId: id, linkId: count })).nullable(),
  })
  .nullable()

const path = z.object({
  type: z.literal('path'),
  /** Null: it is not there. */
  device: end,
  wire: end,
  forwarding: z.object({ ipv4: z.boolean(), ipv6: z.boolean() }),
  /** Packets that the IP layer forwarded, since the network is there. */
  forwarded: z.object({ ipv4: count, ipv6: count }),
  /** Connections in the table of conntrack. */
  tracked: count,
  /** The programs' counters; null where nothing holds any. */
  route: z
    .object({
      of: z.literal('route'),
      outRuns: count,
      outRedirected: count,
      inRuns: count,
      inRedirected: count,
    })
    .nullable(),
})
export type NodePath = z.infer<typeof path>

const ping = z.object({ type: z.literal('ping'), address: z.string(), sent: count, received: count })

export const parsePath = reader(path)
export const parsePing = reader(ping)
