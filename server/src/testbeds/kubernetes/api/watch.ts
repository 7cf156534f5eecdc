/** Lists of objects that stay current: one list, then a watch, which recovers from interruptions. */
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import {
  ApiException,
  HttpMethod,
  IsomorphicFetchHttpLibrary,
  RequestContext,
  type KubernetesObject,
  type ResponseContext,
} from '@kubernetes/client-node'
import { LabError } from '@expresslane/shared/base/errors'
import { z } from 'zod'
import { REQUEST_MS, type Cluster, type RequestOptions } from './cluster.ts'
import { hasStatus, toClusterError, unreachable } from './errors.ts'
import { PATIENCE_MS } from './patience.ts'
import type { Permission } from './permission.ts'

export interface WatchTarget {
  /** `/api/v1/namespaces/NAMESPACE/pods` */
  readonly path: string
  /** `labelSelector`, `fieldSelector`. */
  readonly query?: Readonly<Record<string, string>>
  /** The watched resource, which needs the verbs `list` and `watch`. */
  readonly permission: Omit<Permission, 'verb'>
}

/**
 * A watch without any line for this long, not even a bookmark, is restarted from its last version, because it can be
 * dead.
 */
const SILENCE_MS = 30_000
/** Between two attempts to reach an API server that is away. */
const EVERY_MS = 1_000

const objectMeta = z.looseObject({ uid: z.string().optional(), resourceVersion: z.string().optional() })
const listBody = z.object({
  metadata: z.object({ resourceVersion: z.string() }),
  items: z.array(z.looseObject({ metadata: objectMeta })),
})
const watchLine = z.object({
  type: z.enum(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK', 'ERROR']),
  object: z.looseObject({
    metadata: objectMeta.optional(),
    code: z.number().optional(),
    message: z.string().optional(),
  }),
})
type WatchLine = z.infer<typeof watchLine>

const http = new IsomorphicFetchHttpLibrary()

/**
 * A GET with the kubeconfig's credentials. The library's own `Watch` can't be ended before its answer has begun.
 *
 * @param options from {@link Cluster.request}: a signal, a deadline and connections
 */
async function get(
  cluster: Cluster,
  path: string,
  query: Readonly<Record<string, string>>,
  options: RequestOptions,
  signal?: AbortSignal,
): Promise<ResponseContext> {
  const server = cluster.config.getCurrentCluster()?.server.replace(/\/+$/, '') ?? ''
  const request = new RequestContext(`${server}${path}`, HttpMethod.GET)
  for (const [name, value] of Object.entries(query)) request.setQueryParam(name, value)
  await cluster.config.applySecurityAuthentication(request)
  for (const { pre } of options.middleware ?? []) await pre(request).toPromise()
  if (signal !== undefined) request.setSignal(signal)
  const response = await http.send(request).toPromise()
  if (response.httpStatusCode === 200) return response
  throw new ApiException(response.httpStatusCode, 'refused', await response.body.text(), response.headers)
}

/** An ERROR of a watch, or a 410 before one: the last seen version is too old to continue from. */
class Expired extends Error {}

/**
 * The events of one watch. Ends when the server ends it or it falls silent.
 *
 * @throws Expired; LabError; `signal.reason`
 */
async function* events(
  cluster: Cluster,
  { path, query = {}, permission }: WatchTarget,
  from: string,
  signal: AbortSignal,
  reached: () => void,
): AsyncGenerator<WatchLine, void, void> {
  const stop = new AbortController()
  const either = AbortSignal.any([signal, stop.signal, cluster.closed])
  let silence = setTimeout(() => stop.abort(), REQUEST_MS)
  const wanted = { verb: 'watch', ...permission }
  const sign = (): void => {
    clearTimeout(silence)
    silence = setTimeout(() => stop.abort(), SILENCE_MS)
  }
  let answered = false
  try {
    const all = { ...query, watch: 'true', allowWatchBookmarks: 'true', resourceVersion: from }
    const response = await cluster.unchecked(wanted, signal, (options) => get(cluster, path, all, options, either))
    const stream = response.body.stream()
    if (stream === null) throw unreachable(cluster.context, 'a watch without a body')
    answered = true
    reached()
    sign()
    const body = Readable.fromWeb(stream, { signal: either }).on('data', sign)
    const lines = createInterface({ input: body, crlfDelay: Infinity })
    // The loop gets errors without this; an error after the loop has ended must not crash the process.
    lines.on('error', () => {})
    for await (const text of lines) {
      const line = watchLine.parse(JSON.parse(text))
      if (line.type !== 'ERROR') yield line
      else if (line.object.code === 410) throw new Expired()
      else throw unreachable(cluster.context, line.object.message ?? text)
    }
    signal.throwIfAborted()
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof Expired || hasStatus(error, 410)) throw new Expired()
    if (stop.signal.aborted && answered) return
    throw toClusterError(cluster.context, wanted, error)
  } finally {
    clearTimeout(silence)
    stop.abort()
  }
}

async function list(cluster: Cluster, { path, query = {}, permission }: WatchTarget, signal: AbortSignal) {
  const wanted = { verb: 'list', ...permission }
  return cluster.unchecked(wanted, signal, async (options) => {
    const { body } = await get(cluster, path, query, options)
    const { metadata, items } = listBody.parse(JSON.parse(await body.text()))
    return { version: metadata.resourceVersion, objects: new Map(items.map((item) => [item.metadata.uid, item])) }
  })
}

/**
 * The present list at once, and again after each change. Waits for an API server that is away, up to
 * {@link PATIENCE_MS}; the next item has the changes in between. Ends only by rejecting.
 *
 * @typeParam T objects as JSON has them: times are strings, and items of a list have no `kind`
 * @throws LabError `cluster_unreachable`, `cluster_forbidden` with the verb that is missing; `signal.reason`
 */
export async function* watchObjects<T extends KubernetesObject>(
  cluster: Cluster,
  target: WatchTarget,
  signal: AbortSignal,
): AsyncGenerator<readonly T[], never, void> {
  let seen: Awaited<ReturnType<typeof list>> | null = null
  let awaySince: number | null = null
  const reached = (): void => {
    awaySince = null
  }
  for (;;) {
    try {
      if (seen === null) {
        seen = await list(cluster, target, signal)
        reached()
        yield [...seen.objects.values()] as T[]
      }
      for await (const { type, object } of events(cluster, target, seen.version, signal, reached)) {
        const { uid, resourceVersion } = object.metadata ?? {}
        seen.version = resourceVersion ?? seen.version
        if (type === 'BOOKMARK') continue
        if (type === 'DELETED') seen.objects.delete(uid)
        else seen.objects.set(uid, { ...object, metadata: object.metadata ?? {} })
        yield [...seen.objects.values()] as T[]
      }
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof Expired) seen = null
      else if (error instanceof LabError && error.code === 'cluster_unreachable') {
        awaySince ??= performance.now()
        if (performance.now() - awaySince >= PATIENCE_MS) throw error
      } else throw error
    }
    await delay(EVERY_MS, undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}
