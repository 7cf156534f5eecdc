/** Operations on pods of the workload's namespace: follow, apply, delete. */
import { setTimeout as delay } from 'node:timers/promises'
import { PatchStrategy, type V1Namespace, type V1Pod } from '@kubernetes/client-node'
import { LabError } from '@expresslane/shared/base/errors'
import type { CallContext } from '../../testbed.ts'
import { typedLine } from '../../typed.ts'
import { NO_ANSWER, patchOptions, type Cluster } from '../api/cluster.ts'
import type { Console } from '../exec/console.ts'
import { hasStatus, unreachable } from '../api/errors.ts'
import { follow, type Followed } from '../api/followed.ts'
import { nameOf, passingTaint } from '../api/nodes.ts'
import { patient } from '../api/patience.ts'
import { SELECTOR, workloadPod, type WorkloadPod } from './pods.ts'
import type { OutsideMachine } from '../exec/outside.ts'
import type { PodPrograms } from '../programs/pod-programs.ts'
import type { Reaper } from '../exec/reap.ts'
import { watchObjects } from '../api/watch.ts'
import { namespaceEnding } from './workload-errors.ts'
import type { Seen } from './workload-wait.ts'

export interface WorkloadParts {
  readonly cluster: Cluster
  readonly console: Console
  readonly reaper: Reaper
  readonly namespace: string
  readonly image: string
  /** Puts the labs' programs into the pods. Missing if the image has them. */
  readonly programs?: PodPrograms
  /** After which time the cluster ends the workload's pods, whatever became of Expresslane. */
  readonly podSeconds: number
  /** Missing if no client can run outside of the cluster. */
  readonly outside?: OutsideMachine
}

/** Field manager for server-side apply. */
export const APPLY = { fieldManager: 'expresslane', force: true } as const
/** Deadline for removing the pods that a failed deploy or capture left. After it, the next deploy removes it. */
export const CLEANUP_MS = 20_000

/** @throws LabError `cluster_unreachable` if these are no pods: something else answers for the API server */
export function readPods({ context }: Cluster, pods: readonly unknown[]): WorkloadPod[] {
  return pods.map((pod) => {
    const read = workloadPod.safeParse(pod)
    if (!read.success) throw unreachable(context, NO_ANSWER, read.error)
    return read.data
  })
}

/** Follows the pods of the namespace, all of them. */
export async function* podLists(
  { cluster, namespace }: WorkloadParts,
  signal: AbortSignal,
): AsyncGenerator<WorkloadPod[]> {
  const path = `/api/v1/namespaces/${namespace}/pods`
  for await (const pods of watchObjects(cluster, { path, permission: { resource: 'pods', namespace } }, signal)) {
    yield readPods(cluster, pods)
  }
}

function followWarnings({ cluster, namespace }: WorkloadParts, signal: AbortSignal): Followed<unknown> {
  const path = `/api/v1/namespaces/${namespace}/events`
  const query = { fieldSelector: 'type=Warning,involvedObject.kind=Pod' }
  return follow(watchObjects(cluster, { path, query, permission: { resource: 'events', namespace } }, signal))
}

export async function listOurs(
  { cluster, namespace }: Pick<WorkloadParts, 'cluster' | 'namespace'>,
  signal: AbortSignal,
): Promise<WorkloadPod[]> {
  const { items } = await cluster.request({ verb: 'list', resource: 'pods', namespace }, signal, (options) =>
    cluster.core.listNamespacedPod({ namespace, labelSelector: SELECTOR }, options),
  )
  return readPods(cluster, items)
}

async function deletePod({ cluster, namespace }: WorkloadParts, pod: WorkloadPod, context: CallContext): Promise<void> {
  const { name, uid } = pod.metadata
  // On the host's network it uses the node's port: the kubelet must end it before the next one listens there.
  const gracePeriodSeconds = pod.spec.hostNetwork ? 1 : 0
  try {
    await patient(context, () =>
      cluster.request({ verb: 'delete', resource: 'pods', namespace, name }, context.signal, (options) =>
        cluster.core.deleteNamespacedPod(
          { name, namespace, gracePeriodSeconds, body: { gracePeriodSeconds, preconditions: { uid } } },
          options,
        ),
      ),
    )
  } catch (error) {
    // The pod is gone, or another pod has its name now.
    if (!hasStatus(error, 404) && !hasStatus(error, 409)) throw error
  }
}

/** Deletes these pods and waits until none of them is left. */
export async function deletePods(
  parts: WorkloadParts,
  pods: readonly WorkloadPod[],
  followed: Followed<WorkloadPod>,
  context: CallContext,
): Promise<void> {
  if (pods.length === 0) return
  const names = pods.map(({ metadata }) => metadata.name)
  const old = new Set(pods.map(({ metadata }) => metadata.uid))
  await parts.console.showAs(
    typedLine(['kubectl', '-n', parts.namespace, 'delete', 'pod', ...names]),
    context,
    async () => {
      await Promise.all(pods.map((pod) => deletePod(parts, pod, context)))
      while ((await followed.latest()).some(({ metadata }) => old.has(metadata.uid))) {
        await followed.change(1000, context.signal)
      }
    },
  )
}

/** Deletes the pods whose name begins so, and waits until they are gone; pods that were never created are no error. */
export async function deleteNamed(parts: WorkloadParts, begin: string, emit: CallContext['emit']): Promise<void> {
  const done = new AbortController()
  const context = { emit, signal: AbortSignal.any([done.signal, AbortSignal.timeout(CLEANUP_MS)]) }
  try {
    const pods = follow(podLists(parts, context.signal))
    const present = (await pods.latest()).filter(({ metadata }) => metadata.name.startsWith(begin))
    await deletePods(parts, present, pods, context)
  } finally {
    done.abort()
  }
}

/** An apply is never aborted midway, because its outcome would be unknown. @throws LabError; `signal.reason` */
export async function applyNamespace(
  { cluster, namespace: name }: WorkloadParts,
  body: V1Namespace,
  context: CallContext,
): Promise<void> {
  const whole = new AbortController().signal
  const { status } = await patient(context, () =>
    cluster.request({ verb: 'patch', resource: 'namespaces', name }, whole, (options) =>
      cluster.core.patchNamespace({ name, body, ...APPLY }, patchOptions(PatchStrategy.ServerSideApply, options)),
    ),
  )
  if (status?.phase === 'Terminating') throw namespaceEnding(name)
}

/** A new namespace refuses pods until its controller has created the service account. */
const NO_ACCOUNT = /error looking up service account/
const ACCOUNT_MS = 30_000
const BETWEEN_MS = 500

/**
 * An apply is never aborted midway, because its outcome would be unknown.
 *
 * @returns the pod's UID
 * @throws LabError `cluster_forbidden`, also if the pod is not admitted; `cluster_unreachable`; `signal.reason`
 */
export async function applyPod(
  { cluster, namespace }: WorkloadParts,
  pod: V1Pod,
  context: CallContext,
): Promise<string> {
  const name = pod.metadata?.name ?? ''
  const whole = new AbortController().signal
  const apply = (): Promise<V1Pod> =>
    cluster.request({ verb: 'patch', resource: 'pods', namespace, name }, whole, (options) =>
      cluster.core.patchNamespacedPod(
        { name, namespace, body: pod, ...APPLY },
        patchOptions(PatchStrategy.ServerSideApply, options),
      ),
    )
  for (const began = performance.now(); ;) {
    try {
      const { metadata } = await patient(context, apply)
      if (metadata?.uid === undefined) throw new Error(`pod ${name} was applied without a uid`)
      return metadata.uid
    } catch (error) {
      const early = error instanceof LabError && NO_ACCOUNT.test(error.detail ?? '')
      if (!early || performance.now() - began >= ACCOUNT_MS) throw error
      await delay(BETWEEN_MS, undefined, { signal: context.signal }).catch(() => context.signal.throwIfAborted())
    }
  }
}

/** A node that accepts no pods for now, usually because agents were just restarted. */
async function passing(
  { cluster }: WorkloadParts,
  context: CallContext,
): Promise<{ node: string; taint: string } | null> {
  const { items } = await patient(context, () =>
    cluster.request({ verb: 'list', resource: 'nodes' }, context.signal, (options) =>
      cluster.core.listNode(undefined, options),
    ),
  )
  for (const node of items) {
    const taint = passingTaint(node)
    if (taint !== null) return { node: nameOf(node), taint }
  }
  return null
}

/** Watches the namespace's pods until the context's signal is aborted. */
export function watchPods(parts: WorkloadParts, context: CallContext): Seen {
  const { cluster, namespace } = parts
  return {
    pods: follow(podLists(parts, context.signal)),
    events: followWarnings(parts, context.signal),
    ask: () =>
      patient(context, () =>
        cluster.request({ verb: 'list', resource: 'pods', namespace }, context.signal, (options) =>
          cluster.core.listNamespacedPod({ namespace, limit: 1 }, options),
        ),
      ),
    passing: () => passing(parts, context),
  }
}

/** The command that waits for them. */
export function typedWait(namespace: string, names: readonly string[]): string {
  return `kubectl -n ${namespace} wait --for=condition=Ready pod ${names.join(' ')} --timeout=120s`
}
