/** What is asked of every pod. */
import type { V1Pod } from '@kubernetes/client-node'

export function uidOf({ metadata }: V1Pod): string {
  return metadata?.uid ?? ''
}

function has(condition: string, { status, metadata }: V1Pod): boolean {
  if (metadata?.deletionTimestamp !== undefined) return false
  return status?.conditions?.some(({ type, status: value }) => type === condition && value === 'True') ?? false
}

/** Ready, and not on its way out. */
export function isReady(pod: V1Pod): boolean {
  return has('Ready', pod)
}

/**
 * Does it run, by its kubelet's own word? The pods of a node that was not heard of for a while, as when the API server
 * was away, are called not ready by the control plane, and run on.
 */
export function isUp(pod: V1Pod): boolean {
  return isReady(pod) || has('ContainersReady', pod)
}
