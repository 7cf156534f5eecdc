/** Parts that every pod has. */
import type { V1Pod } from '@kubernetes/client-node'
import { z } from 'zod'

const words = z.object({ reason: z.string().optional(), message: z.string().optional() })
const state = z.object({
  waiting: words.optional(),
  running: z.object({}).optional(),
  terminated: words.extend({ exitCode: z.number().optional() }).optional(),
})

/** The parts of a pod's metadata that matter everywhere; times as in JSON or as in the client. */
export const podMetadata = z.object({
  name: z.string(),
  uid: z.string(),
  labels: z.record(z.string(), z.string()).default({}),
  deletionTimestamp: z.coerce.date().optional(),
})

/** The parts of a pod's status that matter here. */
export const podStatus = words
  .extend({
    phase: z.string().default('Unknown'),
    podIPs: z.array(z.object({ ip: z.string() })).default([]),
    conditions: z.array(words.extend({ type: z.string(), status: z.string() })).default([]),
    containerStatuses: z.array(z.object({ state: state.default({}), lastState: state.optional() })).default([]),
  })
  .default({ phase: 'Unknown', podIPs: [], conditions: [], containerStatuses: [] })

type Condition = z.infer<typeof podStatus>['conditions'][number]

export function conditionOf({ conditions }: z.infer<typeof podStatus>, type: string): Condition | undefined {
  return conditions.find((one) => one.type === type)
}

export function uidOf({ metadata }: V1Pod): string {
  return metadata?.uid ?? ''
}

function has(condition: string, { status, metadata }: V1Pod): boolean {
  if (metadata?.deletionTimestamp !== undefined) return false
  return status?.conditions?.some(({ type, status: value }) => type === condition && value === 'True') ?? false
}

/** Ready, and not ending. */
export function isReady(pod: V1Pod): boolean {
  return has('Ready', pod)
}

/**
 * Whether it runs, by its kubelet's report. After an outage of the API server the control plane marks the pods of a
 * silent node as not ready, although they keep running.
 */
export function isUp(pod: V1Pod): boolean {
  return isReady(pod) || has('ContainersReady', pod)
}
