/** What a testbed tells about itself: facts, preflight checks, and where the workload landed. */
import { z } from 'zod'
import { bytes, epochMs } from '../measure/units.ts'

export const testbedKind = z.enum(['netns', 'kubernetes', 'recording'])
export type TestbedKind = z.infer<typeof testbedKind>

/**
 * What a lab can need of a testbed. `size-limit`: any send limit can be set; `pod-mtu`: the pods' MTU can; `iperf3`:
 * the workload has it; `capture`: packets can be seen on a node's device; `quick-switch`: switching takes less time
 * than a measurement.
 */
export const capability = z.enum([
  'big-tcp-ipv4',
  'big-tcp-ipv6',
  'size-limit',
  'pod-mtu',
  'iperf3',
  'capture',
  'quick-switch',
])
export type Capability = z.infer<typeof capability>

/** How the workload's two pods lie to each other. */
export const placementVariant = z.enum(['other-node', 'same-node', 'host-network'])
export type PlacementVariant = z.infer<typeof placementVariant>

/** A cluster's node, as its kubelet and its Cilium agent tell it. */
export const clusterNode = z.strictObject({
  name: z.string(),
  kernel: z.string(),
  os: z.string(),
  /** Container runtime with its version: `containerd://1.6.20`. */
  runtime: z.string(),
  kubelet: z.string(),
  cpus: z.number().int().positive(),
  /** Takes the workload's pods: Ready, not cordoned, no taint that keeps them away. */
  schedulable: z.boolean(),
  /** Null where its agent could not be asked. */
  cilium: z.string().nullable(),
  /** The native devices, those that Cilium attaches to; `tsoMaxSize` is null where `ip` does not tell it. */
  devices: z.array(z.strictObject({ name: z.string(), tsoMaxSize: bytes.nullable() })),
})
export type ClusterNode = z.infer<typeof clusterNode>

/** What a cluster says of itself. A null is unknown: no agent could be asked. */
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
  /** What runs -> its digest: the agent's and the workload's images. */
  images: z.record(z.string(), z.string()),
})
export type ClusterFacts = z.infer<typeof clusterFacts>

/** The environment's fingerprint. */
export const testbedFacts = z.strictObject({
  kind: testbedKind,
  /** Shown to people: `this machine`, or the cluster's context. */
  name: z.string(),
  /**
   * Changes whenever the testbed was built anew, and with it everything that was deployed
   * or switched on it.
   */
  incarnation: z.string(),
  kernel: z.string(),
  os: z.string(),
  cpu: z.strictObject({
    model: z.string(),
    count: z.number().int().positive(),
    /** Frequency governor; null where the kernel exposes none. */
    governor: z.string().nullable(),
  }),
  /** One-minute load average when read, the largest of several nodes'; null where it could not be read. */
  load: z.number().nonnegative().nullable(),
  nodes: z.array(z.string()),
  /** Tool or component -> version as it says itself: `{ netperf: "2.7.0", iproute2: "6.15.0" }`. */
  versions: z.record(z.string(), z.string()),
  /** Null where the testbed is no cluster. */
  cluster: clusterFacts.nullable().default(null),
})
export type TestbedFacts = z.infer<typeof testbedFacts>

/** One preflight check: what was seen, and what to do where it is not enough. */
export const check = z.strictObject({
  /** Stable: `kernel-ipv4`, `netperf-demo`, ... */
  id: z.string(),
  title: z.string(),
  status: z.enum(['passed', 'warning', 'failed']),
  seen: z.string(),
  remedy: z.string().nullable(),
  remedyCommand: z.string().nullable(),
  /** The capabilities that a failure takes away. */
  blocks: z.array(capability),
})
export type Check = z.infer<typeof check>

export const podRole = z.enum(['client', 'server'])
export type PodRole = z.infer<typeof podRole>

export const pod = z.strictObject({
  role: podRole,
  name: z.string(),
  node: z.string(),
  addresses: z.strictObject({ ipv4: z.string().nullable(), ipv6: z.string().nullable() }),
})
export type Pod = z.infer<typeof pod>

export const placement = z.strictObject({
  madeAt: epochMs,
  variant: placementVariant.default('other-node'),
  client: pod,
  server: pod,
})
export type Placement = z.infer<typeof placement>
