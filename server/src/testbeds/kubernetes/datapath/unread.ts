/** What can't be read is unknown for a reason, and no failure of the whole reading. */
import { LabError } from '@expresslane/shared/wire/errors'
import type { Cluster } from '../api/cluster.ts'

/** In one sentence or two: the error's own, and the system's words. */
export function reasonOf({ message, detail }: LabError): string {
  return detail === null || detail === '' ? message : `${message} ${detail}`
}

export type Attempt<T> =
  | { readonly value: T; readonly reason: null }
  | { readonly value: null; readonly reason: string }

/** The API server says the same of itself being away and of a node whose kubelet is: so it is asked for itself. */
const CONNECTION: ReadonlySet<string> = new Set(['cluster_unreachable', 'exec_dropped'])

/**
 * Does `work`, which may be done twice, and tells why it could not be done.
 *
 * @throws LabError `cluster_unreachable` where it is the API server that is away; `signal.reason` once aborted
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
  const told = (result: Attempt<T> | LabError): Attempt<T> =>
    result instanceof LabError ? { value: null, reason: reasonOf(result) } : result
  const first = await once()
  if (!(first instanceof LabError) || !CONNECTION.has(first.code)) return told(first)
  await cluster.request({ verb: 'get', resource: '/version' }, signal, (options) => cluster.version.getCode(options))
  return told(await once())
}
