/** A cluster, by a context of the kubeconfig. Every request to its API server goes through here. */
import {
  ApiException,
  AppsV1Api,
  AuthorizationV1Api,
  BatchV1Api,
  CoordinationV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubernetesObjectApi,
  NetworkingV1Api,
  setHeaderOptions,
  VersionApi,
  type ConfigurationOptions,
  type KubeConfig,
  type ObservableMiddleware,
  type PatchStrategy,
  type RequestContext,
} from '@kubernetes/client-node'
import type { LabError } from '@expresslane/shared/base/errors'
import type { CiliumKey } from '../../cilium-key.ts'
import { isAnswer } from './answer.ts'
import { loginLate, seenFromContainer, toClusterError, unreachable } from './errors.ts'
import { useLogin } from './login.ts'
import type { Permission } from './permission.ts'
import { raced } from './raced.ts'

/** Passed to each call of the generated client: carries the signal and the deadline. */
export type RequestOptions = ConfigurationOptions

/** Deadline for one answer of the API server; reads take milliseconds. */
export const REQUEST_MS = 10_000

export interface Cluster {
  /** The context's name. */
  readonly context: string
  /** The keys of Cilium's ConfigMap that are switched. */
  readonly keys: readonly CiliumKey[]
  readonly config: KubeConfig
  readonly core: CoreV1Api
  readonly apps: AppsV1Api
  readonly batch: BatchV1Api
  readonly coordination: CoordinationV1Api
  readonly custom: CustomObjectsApi
  readonly networking: NetworkingV1Api
  readonly authorization: AuthorizationV1Api
  readonly version: VersionApi
  readonly objects: KubernetesObjectApi
  /** Aborted by {@link close}. */
  readonly closed: AbortSignal
  /**
   * Makes one request, under a deadline of {@link REQUEST_MS} for all of it, credentials included.
   *
   * @param permission what RBAC must allow for it
   * @throws LabError `cluster_unreachable`, `cluster_unauthorized`, `cluster_forbidden`, `not_found`, `tool_failed`;
   * `signal.reason` once aborted; the reason of {@link close}
   */
  request<T>(permission: Permission, signal: AbortSignal, call: (options: RequestOptions) => Promise<T>): Promise<T>
  /** The same for an answer that `call` checks itself. */
  unchecked<T>(permission: Permission, signal: AbortSignal, call: (options: RequestOptions) => Promise<T>): Promise<T>
  /**
   * Does `work` under the same deadline, for requests that the generated client can't make. Ends when the deadline
   * passes, even if `work` ignores its signal.
   *
   * @throws the errors of `work`; LabError as of {@link request}
   */
  attempt<T>(signal: AbortSignal, work: (within: AbortSignal) => Promise<T>): Promise<T>
  /** Ends all requests and the login program. Nothing can be asked after it. */
  close(reason: unknown): void
}

export interface ClusterOptions {
  /** @defaultValue none */
  readonly keys?: readonly CiliumKey[]
  /** @defaultValue REQUEST_MS */
  readonly requestMs?: number
  /** Time limit for the kubeconfig's login program in milliseconds. @defaultValue LOGIN_MS */
  readonly loginMs?: number
  /** Whether this server runs in the container image. @defaultValue false */
  readonly isContained?: boolean
  /** Milliseconds since the epoch. @defaultValue Date.now */
  readonly now?: () => number
}

export const NO_ANSWER = 'something answers there that is not Kubernetes'

/** A person can have to log in meanwhile. */
const LOGIN_MS = 60_000
/** Credentials that another program renews are used after this time at the latest. */
const CONNECTIONS_MS = 60_000

/**
 * The library opens a new connection for each request: 40 ms of TLS for an answer that takes 3. The returned function
 * makes all requests of a minute share the connections of the first request.
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

/**
 * @param config a kubeconfig whose current context is used; its user's login program is run by this cluster from now on
 *
 * @throws LabError `kubeconfig_invalid`
 */
export function createCluster(
  config: KubeConfig,
  { keys = [], requestMs = REQUEST_MS, loginMs = LOGIN_MS, isContained = false, now = Date.now }: ClusterOptions = {},
): Cluster {
  const context = config.getCurrentContext()
  const server = config.getCurrentCluster()?.server ?? ''
  const seen = (error: LabError): LabError => (isContained ? seenFromContainer(error, server) : error)
  const share = shareConnections()
  const login = useLogin(config, { ms: loginMs, now })
  const closing = new AbortController()

  async function attempt<T>(signal: AbortSignal, work: (within: AbortSignal) => Promise<T>): Promise<T> {
    signal.throwIfAborted()
    const deadline = AbortSignal.timeout(requestMs)
    const within = AbortSignal.any([signal, closing.signal, deadline])
    try {
      return await raced(within, () => work(within))
    } catch (error) {
      signal.throwIfAborted()
      closing.signal.throwIfAborted()
      if (error instanceof ApiException && error.code === 401) login.refused()
      if (!deadline.aborted) throw error
      const program = login.pending()
      if (program !== null) throw loginLate(context, program, requestMs)
      throw seen(unreachable(context, `no answer within ${requestMs / 1000} seconds`, error))
    }
  }

  const unchecked: Cluster['unchecked'] = async (permission, signal, call) => {
    try {
      return await attempt(signal, (within) => call(withSignal(within, share)))
    } catch (error) {
      signal.throwIfAborted()
      closing.signal.throwIfAborted()
      throw seen(toClusterError(context, permission, error))
    }
  }

  return {
    context,
    keys,
    config,
    core: config.makeApiClient(CoreV1Api),
    apps: config.makeApiClient(AppsV1Api),
    batch: config.makeApiClient(BatchV1Api),
    coordination: config.makeApiClient(CoordinationV1Api),
    custom: config.makeApiClient(CustomObjectsApi),
    networking: config.makeApiClient(NetworkingV1Api),
    authorization: config.makeApiClient(AuthorizationV1Api),
    version: config.makeApiClient(VersionApi),
    objects: KubernetesObjectApi.makeApiClient(config),
    closed: closing.signal,
    attempt,
    unchecked,
    async request(permission, signal, call) {
      const answer = await unchecked(permission, signal, call)
      if (!isAnswer(permission, answer)) throw unreachable(context, NO_ANSWER)
      return answer
    },
    close(reason) {
      closing.abort(reason)
      login.close(reason)
    },
  }
}
