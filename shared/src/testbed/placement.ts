/** The nodes of a workload's pods, each pod with its role. */
import { z } from 'zod'
import { epochMs } from '../base/units.ts'

/** A place in a topology where commands run: `client`, `server`, `forwarder`. Each feature lists its roles. */
export const role = z
  .string()
  .max(40)
  .regex(/^[a-z][a-z0-9-]*$/)
export type Role = z.infer<typeof role>

/** All benchmarks run between these two roles; other roles can be between them. */
export const CLIENT = 'client'
export const SERVER = 'server'

/** How the workload's pods are distributed over the nodes. */
export const placementVariant = z.enum(['other-node', 'same-node', 'host-network'])
export type PlacementVariant = z.infer<typeof placementVariant>

/** The number of a CPU for each role. */
export const roleCpus = z.record(role, z.number().int().nonnegative())
export type RoleCpus = Readonly<z.infer<typeof roleCpus>>

/**
 * - `scheduler`: the kernel chooses, and can move a process at any time
 * - `one-cpu`: all pods share one CPU
 * - `two-cpus`: each has its own CPU
 */
export const cpuPlacement = z.enum(['scheduler', 'one-cpu', 'two-cpus'])
export type CpuPlacement = z.infer<typeof cpuPlacement>

export const pod = z.strictObject({
  role,
  name: z.string(),
  node: z.string(),
  addresses: z.strictObject({ ipv4: z.string().nullable(), ipv6: z.string().nullable() }),
})
export type Pod = z.infer<typeof pod>

export const placement = z.strictObject({
  madeAt: epochMs,
  variant: placementVariant.default('other-node'),
  /** A pod for each role, in the order of the path. */
  pods: z.array(pod),
  /** The CPU on which everything in a role's pod runs; without the roles whose CPUs the kernel's scheduler chooses. */
  cpus: roleCpus.default({}),
})
export type Placement = z.infer<typeof placement>

/** The pod of a role; null if the placement is unknown or has no such pod. */
export function podOf(placed: Placement | null, of: Role): Pod | null {
  return placed?.pods.find((one) => one.role === of) ?? null
}
