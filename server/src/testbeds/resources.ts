/** The resources that a run needs for itself, so that no other run disturbs its numbers. */
import { z } from 'zod'

/**
 * - `testbed:ID`: every run needs its testbed: a testbed performs one run at a time
 * - `host`: this machine, while it is measured on
 * - `counted:NUMBER`: a turn to compute in a counted machine, which takes a CPU of this one
 * - `ssh:HOST`: a host that ssh reaches, while it is measured on
 * - `pod:DIGEST`: a testbed in a pod of its own, which no other testbed disturbs
 * - `cluster:UID`: a cluster, by the UID of its `kube-system` namespace, while it is changed or measured on
 */
export const resource = z.union([
  z.templateLiteral(['testbed:', z.string()]),
  z.templateLiteral(['counted:', z.number().int().nonnegative()]),
  z.templateLiteral(['ssh:', z.string()]),
  z.templateLiteral(['pod:', z.string()]),
  z.templateLiteral(['cluster:', z.string()]),
  z.literal('host'),
])
export type Resource = z.infer<typeof resource>

/** The resources of a run. */
export const needs = z.strictObject({
  /** Its testbed. */
  own: resource,
  /** Resources that runs on other testbeds need, too. */
  shared: z.array(resource).readonly(),
})
export type Needs = z.infer<typeof needs>

/** The resources that runs on a testbed share with runs on other testbeds. */
export interface SharedResources {
  /** Needed to measure. */
  readonly measuring: readonly Resource[]
  /** Needed to switch or to deploy. */
  readonly changing: readonly Resource[]
}
