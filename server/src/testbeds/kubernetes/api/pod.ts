/** What is asked of every pod. */
import type { V1Pod } from '@kubernetes/client-node'

export function uidOf({ metadata }: V1Pod): string {
  return metadata?.uid ?? ''
}

/** Ready, and not on its way out. */
export function isReady({ status, metadata }: V1Pod): boolean {
  if (metadata?.deletionTimestamp !== undefined) return false
  return status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false
}
