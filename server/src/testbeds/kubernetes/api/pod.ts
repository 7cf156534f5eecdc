/** Parts that every pod has. */
import type { V1Pod } from '@kubernetes/client-node'

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
