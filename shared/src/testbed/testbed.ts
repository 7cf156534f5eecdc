/** Facts and preflight checks that a testbed reports about itself. */
import { z } from 'zod'
import { errorCodes } from '../base/errors.ts'
import { bytes } from '../base/units.ts'

export const testbedKind = z.enum(['netns', 'counted', 'emulated', 'ssh', 'kubernetes', 'recording'])
export type TestbedKind = z.infer<typeof testbedKind>

/**
 * An ability of a testbed that a lab can need, such as `capture`. Any id is valid; `features/capabilities.ts` has a
 * list.
 */
export const capability = z
  .string()
  .max(40)
  .regex(/^[a-z][a-z0-9-]*$/)
export type Capability = z.infer<typeof capability>

/** A node of a cluster, as its kubelet and its Cilium agent report it. */
export const clusterNode = z.strictObject({
  name: z.string(),
  kernel: z.string(),
  os: z.string(),
  /** The container runtime with its version: `containerd://1.6.20`. */
  runtime: z.string(),
  kubelet: z.string(),
  cpus: z.number().int().positive(),
  /** The workload's pods can run here: Ready, not cordoned, without a taint that prevents them. */
  schedulable: z.boolean(),
  /** Null if its agent did not answer. */
  cilium: z.string().nullable(),
  /** The native devices, which Cilium attaches to; `tsoMaxSize` is null if `ip` does not print it. */
  devices: z.array(z.strictObject({ name: z.string(), tsoMaxSize: bytes.nullable() })),
})
export type ClusterNode = z.infer<typeof clusterNode>

/** A cluster's facts. Null means unknown, because no agent answered. */
export const clusterFacts = z.strictObject({
  /** The kubeconfig's context. */
  context: z.string(),
  kubernetes: z.string(),
  nodes: z.array(clusterNode),
  /** `veth`, `netkit`, ... */
  datapathMode: z.string().nullable(),
  /** `native` or `tunnel`, with the protocol. */
  routing: z.string().nullable(),
  hostRouting: z.string().nullable(),
  masquerading: z.string().nullable(),
  kubeProxyReplacement: z.string().nullable(),
  encryption: z.string().nullable(),
  /** The prefix of Cilium's gateway between IPv4 and IPv6, `64:ff9b::/96`; `Disabled` without a gateway. */
  nat46x64Gateway: z.string().nullable().default(null),
  /** The congestion control of Cilium's Bandwidth Manager, `BBR` or `CUBIC`; `Disabled` without a manager. */
  bandwidthManager: z.string().nullable().default(null),
  /** Digests of the agent's and the workload's images, by the part that runs in them. */
  images: z.record(z.string(), z.string()),
})
export type ClusterFacts = z.infer<typeof clusterFacts>

/** The environment's fingerprint. */
export const testbedFacts = z.strictObject({
  kind: testbedKind,
  /** The name for people: `this machine`, or the cluster's context. */
  name: z.string(),
  /** Changes when the testbed is rebuilt, which removes everything that was deployed or switched on it. */
  incarnation: z.string(),
  kernel: z.string(),
  os: z.string(),
  cpu: z.strictObject({
    model: z.string(),
    count: z.number().int().positive(),
    /** The CPU frequency governor; null if the kernel has none. */
    governor: z.string().nullable(),
  }),
  /** The one-minute load average, on a cluster the largest of all nodes; null if it could not be read. */
  load: z.number().nonnegative().nullable(),
  nodes: z.array(z.string()),
  /**
   * How many instructions a microsecond of its clock stands for, where the clock counts instructions; null if it shows
   * time.
   */
  instructionsPerMicrosecond: z.number().positive().nullable().default(null),
  /** Versions of tools and components as they report them: `{ netperf: "2.7.0", iproute2: "6.15.0" }`. */
  versions: z.record(z.string(), z.string()),
  /** Null if the testbed is not a cluster. */
  cluster: clusterFacts.nullable().default(null),
})
export type TestbedFacts = z.infer<typeof testbedFacts>

/**
 * The capabilities that a failed check blocks. `all` blocks every lab; `topology` blocks every lab on this testbed, but
 * no lab of another topology of the same machine.
 */
export const blocks = z.union([z.enum(['all', 'topology']), z.array(capability)])
export type Blocks = z.infer<typeof blocks>

/** A preflight check: its result, and the remedy if it did not pass. */
export const check = z.strictObject({
  /** Stable: `kernel-ipv4`, `netperf-demo`, ... */
  id: z.string(),
  title: z.string(),
  status: z.enum(['passed', 'warning', 'failed']),
  seen: z.string(),
  /** Why the check could not be made; null if it was. */
  problem: z.enum(errorCodes).nullable().default(null),
  remedy: z.string().nullable(),
  remedyCommand: z.string().nullable(),
  /** Whether the set-up is still getting the missing tool: then the user has nothing to do. */
  coming: z.boolean().optional(),
  blocks,
})
export type Check = z.infer<typeof check>

/**
 * Does this check block something that the lab needs?
 *
 * @param here whether the lab runs on the testbed of the check, and not on another topology of the same machine
 */
export function isInTheWay(
  { status, blocks: lost }: Check,
  needs: readonly Capability[],
  here: boolean = true,
): boolean {
  if (status !== 'failed') return false
  if (lost === 'topology') return here
  return lost === 'all' || lost.some((one) => needs.includes(one))
}
