/** What a testbed tells about itself: facts, preflight checks, and where the workload landed. */
import { z } from 'zod'
import { epochMs } from './units.ts'

export const testbedKind = z.enum(['netns', 'kubernetes', 'recording'])
export type TestbedKind = z.infer<typeof testbedKind>

/** What a lab can need of a testbed. */
export const capability = z.enum(['big-tcp-ipv4', 'big-tcp-ipv6'])
export type Capability = z.infer<typeof capability>

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
  /** One-minute load average when read. */
  load: z.number().nonnegative(),
  nodes: z.array(z.string()),
  /** Tool or component -> version as it says itself: `{ netperf: "2.7.0", iproute2: "6.15.0" }`. */
  versions: z.record(z.string(), z.string()),
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

export const placement = z.strictObject({ madeAt: epochMs, client: pod, server: pod })
export type Placement = z.infer<typeof placement>
