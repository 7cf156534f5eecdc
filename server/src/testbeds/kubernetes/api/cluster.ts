/** One cluster, by one context of the kubeconfig. Every request to its API server goes through here. */
import {
  AppsV1Api,
  AuthorizationV1Api,
  CoordinationV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubernetesObjectApi,
  setHeaderOptions,
  VersionApi,
  type ConfigurationOptions,
  type KubeConfig,
  type ObservableMiddleware,
  type PatchStrategy,
  type RequestContext,
} from '@kubernetes/client-node'
import { toClusterError, unreachable } from './errors.ts'
import type { Permission } from './permission.ts'

/** Passed to each call of the generated client: carries the signal and the deadline. */
export type RequestOptions = ConfigurationOptions

/** Deadline for one answer of the API server; reads take milliseconds. */
export const REQUEST_MS = 10_000

export interface Cluster {
  /** The context's name. */
  readonly context: string
  readonly config: KubeConfig
  readonly core: CoreV1Api
  readonly apps: AppsV1Api
  readonly coordination: CoordinationV1Api
  readonly custom: CustomObjectsApi
  readonly authorization: AuthorizationV1Api
  readonly version: VersionApi
  readonly objects: KubernetesObjectApi
  /**
   * Makes one request, under a deadline of {@link REQUEST_MS}.
   *
   * @param permission what RBAC must allow for it
   * @throws LabError `cluster_unreachable`, `cluster_unauthorized`, `cluster_forbidden`, `not_found`, `tool_failed`;
   * `signal.reason` once aborted
   */
  request<T>(permission: Permission, signal: AbortSignal, call: (options: RequestOptions) => Promise<T>): Promise<T>
}

/** Credentials that another program renews are used after this time at the latest. */
const CONNECTIONS_MS = 60_000

/**
 * The library opens a new connection for each request: 40 ms of TLS for an answer that takes 3. The returned function
 * makes all requests of a minute share the connections of the first one.
 */
function shareConnections(): (request: RequestContext) => void {
  let shared: { readonly dispatcher: ReturnType<RequestContext['getDispatcher']>; readonly until: number } | null = null
  return (request) => {
    const now = performance.now()
    if (shared === null || now > shared.until) {
      shared = { dispatcher: request.getDispatcher(), until: now + CONNECTIONS_MS }
    }
    if (shared.dispatcher !== undefined) request.setDispatcher(shared.dispatcher)
  }
}

/** The generated client passes a request on as an observable, whose class it does not export as a value. */
function withSignal(signal: AbortSignal, share: (request: RequestContext) => void): RequestOptions {
  const options = setHeaderOptions('Accept', 'application/json')
  const [header] = options.middleware ?? []
  if (header === undefined) throw new Error('the client has no middleware to build on')
  const middleware: ObservableMiddleware = {
    pre: (request) => {
      request.setSignal(signal)
      share(request)
      return header.pre(request)
    },
    post: (response) => header.post(response),
  }
  return { ...options, middleware: [middleware] }
}

/** The options of a patch: JSON merge patch, server-side apply, ... @see PatchStrategy */
export function patchOptions(strategy: PatchStrategy, options: RequestOptions): RequestOptions {
  return setHeaderOptions('Content-Type', strategy, options)
}

/** @param config a kubeconfig whose current context is used */
export function createCluster(config: KubeConfig): Cluster {
  const context = config.getCurrentContext()
  const share = shareConnections()
  return {
    context,
    config,
    core: config.makeApiClient(CoreV1Api),
    apps: config.makeApiClient(AppsV1Api),
    coordination: config.makeApiClient(CoordinationV1Api),
    custom: config.makeApiClient(CustomObjectsApi),
    authorization: config.makeApiClient(AuthorizationV1Api),
    version: config.makeApiClient(VersionApi),
    objects: KubernetesObjectApi.makeApiClient(config),
    async request(permission, signal, call) {
      signal.throwIfAborted()
      const deadline = AbortSignal.timeout(REQUEST_MS)
      try {
        return await call(withSignal(AbortSignal.any([signal, deadline]), share))
      } catch (error) {
        signal.throwIfAborted()
        if (deadline.aborted) throw unreachable(context, `no answer within ${REQUEST_MS / 1000} seconds`, error)
        throw toClusterError(context, permission, error)
      }
    },
  }
}
