/** A part that can't be read is unknown for a reason; the rest of the reading is still valid. */
import { LabError } from '@expresslane/shared/base/errors'
import type { Cluster } from '../api/cluster.ts'

/** The error's message, with the system's detail if there is one. */
export function reasonOf({ message, detail }: LabError): string {
  return detail === null || detail === '' ? message : `${message} ${detail}`
}

export type Attempt<T> =
  | { readonly value: T; readonly reason: null }
  | { readonly value: null; readonly reason: string }

/**
 * The same codes are used for an unreachable API server and an unreachable kubelet, so the API server is asked again.
 */
const CONNECTION: ReadonlySet<string> = new Set(['cluster_unreachable', 'exec_dropped'])

/**
 * Does `work`, which can be repeated, and returns the reason if it fails.
 *
 * @throws LabError `cluster_unreachable` if the API server can't be reached; `signal.reason` once aborted
 */
export async function attempt<T>(cluster: Cluster, signal: AbortSignal, work: () => Promise<T>): Promise<Attempt<T>> {
  const once = async (): Promise<Attempt<T> | LabError> => {
    try {
      return { value: await work(), reason: null }
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof LabError) return error
      throw error
    }
  }
  const toAttempt = (result: Attempt<T> | LabError): Attempt<T> =>
    result instanceof LabError ? { value: null, reason: reasonOf(result) } : result
  const first = await once()
  if (!(first instanceof LabError) || !CONNECTION.has(first.code)) return toAttempt(first)
  await cluster.request({ verb: 'get', resource: '/version' }, signal, (options) => cluster.version.getCode(options))
  return toAttempt(await once())
}
