/** The netperf pair on the cluster: made, removed, and read from the cluster alone, so that a restart knows it too. */
import { PatchStrategy, type V1Pod } from '@kubernetes/client-node'
import { LabError } from '@expresslane/shared/errors'
import type { Placement, PlacementVariant } from '@expresslane/shared/testbed'
import type { Context } from '../../testbed.ts'
import { requireAccess } from '../api/access.ts'
import { patchOptions, type Cluster } from '../api/cluster.ts'
import type { Console } from '../exec/console.ts'
import { hasStatus } from '../api/errors.ts'
import { follow, type Followed } from '../api/followed.ts'
import { readManifest, typedApply, type Manifest } from './manifest.ts'
import { nameOf, passingTaint } from '../api/nodes.ts'
import { patient } from '../api/patience.ts'
import { isOurs, SELECTOR, workloadOf, workloadPod, type PodRef, type Workload, type WorkloadPod } from './pods.ts'
import { workloadPermissions } from '../api/permissions.ts'
import type { Reaper } from '../exec/reap.ts'
import { watchObjects } from '../api/watch.ts'
import { inTheWay, namespaceEnding, notAdmitted, type WorkloadNames } from './workload-errors.ts'
import { movePacket, waitUntilReady } from './workload-wait.ts'

export interface WorkloadParts {
  readonly cluster: Cluster
  readonly console: Console
  readonly reaper: Reaper
  readonly namespace: string
  readonly image: string
}

const MANAGER = 'expresslane'
/** What a deploy that failed leaves is removed within this, or by the next one. */
const CLEANUP_MS = 20_000

/** Follows the pods of the namespace, all of them. */
async function* podLists({ cluster, namespace }: WorkloadParts, signal: AbortSignal): AsyncGenerator<WorkloadPod[]> {
  const path = `/api/v1/namespaces/${namespace}/pods`
  for await (const pods of watchObjects(cluster, { path, permission: { resource: 'pods', namespace } }, signal)) {
    yield pods.map((pod) => workloadPod.parse(pod))
  }
}

function followWarnings({ cluster, namespace }: WorkloadParts, signal: AbortSignal): Followed<unknown> {
  const path = `/api/v1/namespaces/${namespace}/events`
  const query = { fieldSelector: 'type=Warning,involvedObject.kind=Pod' }
  return follow(watchObjects(cluster, { path, query, permission: { resource: 'events', namespace } }, signal))
}

async function listOurs({ cluster, namespace }: WorkloadParts, signal: AbortSignal): Promise<WorkloadPod[]> {
  const { items } = await cluster.request({ verb: 'list', resource: 'pods', namespace }, signal, (options) =>
    cluster.core.listNamespacedPod({ namespace, labelSelector: SELECTOR }, options),
  )
  return items.map((pod) => workloadPod.parse(pod))
}

async function deletePod({ cluster, namespace }: WorkloadParts, pod: WorkloadPod, context: Context): Promise<void> {
  const { name, uid } = pod.metadata
  // On the host's network its port is the node's: the kubelet must have ended it before the next one listens there.
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
    // It is gone, or another pod has its name by now.
    if (!hasStatus(error, 404) && !hasStatus(error, 409)) throw error
  }
}

/** Deletes these pods and waits until none of them is left. */
async function deletePods(
  parts: WorkloadParts,
  pods: readonly WorkloadPod[],
  followed: Followed<WorkloadPod>,
  context: Context,
): Promise<void> {
  if (pods.length === 0) return
  const names = pods.map(({ metadata }) => metadata.name)
  const old = new Set(pods.map(({ metadata }) => metadata.uid))
  await parts.console.tell(`kubectl -n ${parts.namespace} delete pod ${names.join(' ')}`, context, async () => {
    await Promise.all(pods.map((pod) => deletePod(parts, pod, context)))
    while ((await followed.latest()).some(({ metadata }) => old.has(metadata.uid))) {
      await followed.change(1000, context.signal)
    }
  })
}

/** A refusal that RBAC did not speak: Pod Security, a quota, a webhook. */
function admission(error: unknown, names: WorkloadNames): unknown {
  if (!(error instanceof LabError) || error.code !== 'cluster_forbidden' || error.detail === null) return error
  return /cannot \w+ resource/.test(error.detail) ? error : notAdmitted(error.detail, names)
}

/**
 * Applies namespace and pods. An apply that has begun is not broken off: whether it came through would be unknown.
 *
 * @returns the pods' UIDs
 */
async function apply(
  { cluster }: WorkloadParts,
  manifest: Manifest,
  names: WorkloadNames,
  context: Context,
): Promise<Set<string>> {
  const whole = new AbortController().signal
  const { namespace } = names
  const how = { fieldManager: MANAGER, force: true }
  const applyNamespace = { verb: 'patch', resource: 'namespaces', name: namespace }
  const { status } = await patient(context, () =>
    cluster.request(applyNamespace, whole, (options) =>
      cluster.core.patchNamespace(
        { name: namespace, body: manifest.namespace, ...how },
        patchOptions(PatchStrategy.ServerSideApply, options),
      ),
    ),
  )
  if (status?.phase === 'Terminating') throw namespaceEnding(names)
  context.signal.throwIfAborted()
  const applyPod = async (pod: V1Pod): Promise<string> => {
    const name = pod.metadata?.name ?? ''
    const { metadata } = await patient(context, () =>
      cluster.request({ verb: 'patch', resource: 'pods', namespace, name }, whole, (options) =>
        cluster.core.patchNamespacedPod(
          { name, namespace, body: pod, ...how },
          patchOptions(PatchStrategy.ServerSideApply, options),
        ),
      ),
    )
    if (metadata?.uid === undefined) throw new Error(`pod ${name} was applied without a uid`)
    return metadata.uid
  }
  const applied = await Promise.allSettled(manifest.pods.map(applyPod))
  const failed = applied.find((one) => one.status === 'rejected')
  if (failed !== undefined) throw admission(failed.reason, names)
  return new Set(applied.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])))
}

/** A node that takes no pods for now: agents that were just restarted are the usual reason. */
async function passing({ cluster }: WorkloadParts, context: Context): Promise<{ node: string; taint: string } | null> {
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

async function make(
  parts: WorkloadParts,
  manifest: Manifest,
  names: WorkloadNames,
  context: Context,
): Promise<Placement> {
  const { console, namespace, reaper, cluster } = parts
  const pods = follow(podLists(parts, context.signal))
  const events = followWarnings(parts, context.signal)
  const present = await pods.latest()
  const wanted = manifest.pods.map((pod) => pod.metadata?.name)
  const foreign = present.find((pod) => !isOurs(pod) && wanted.includes(pod.metadata.name))
  if (foreign !== undefined) throw inTheWay(foreign.metadata.name, names)
  await deletePods(parts, present.filter(isOurs), pods, context)

  const uids = await console.tell(typedApply(manifest), context, () => apply(parts, manifest, names, context))
  const wait = `kubectl -n ${namespace} wait --for=condition=Ready pod ${wanted.join(' ')} --timeout=120s`
  const ask = (): Promise<unknown> =>
    patient(context, () =>
      cluster.request({ verb: 'list', resource: 'pods', namespace }, context.signal, (options) =>
        cluster.core.listNamespacedPod({ namespace, limit: 1 }, options),
      ),
    )
  const seen = { pods, events, ask, passing: () => passing(parts, context) }
  const workload = await console.tell(wait, context, () => waitUntilReady(seen, uids, names, context))
  for (const at of [workload.client, workload.server]) reaper.fresh(at)
  await Promise.all((['ipv4', 'ipv6'] as const).map((family) => movePacket(console, workload, family, context)))
  return workload.placement
}

/**
 * Makes fresh pods in place of those that there are, waits until they are ready and a packet has passed between
 * them. When it fails or is cancelled, no pods are left, unless the API server is away: then the next one removes them.
 *
 * @throws LabError `cluster_forbidden` before anything is touched; `workload_not_ready` with the cluster's own reason,
 * `netserver_unreachable`, `cluster_unreachable`; `signal.reason` once aborted
 */
export async function deployWorkload(
  parts: WorkloadParts,
  variant: PlacementVariant,
  context: Context,
): Promise<Placement> {
  context.signal.throwIfAborted()
  const { namespace, image, cluster } = parts
  await patient(context, () => requireAccess(cluster, workloadPermissions(namespace), context.signal))
  const names = { namespace, image, variant }
  const manifest = await readManifest(names)
  // The watches end with the deploy.
  const done = new AbortController()
  const inner = { emit: context.emit, signal: AbortSignal.any([context.signal, done.signal]) }
  try {
    return await make(parts, manifest, names, inner)
  } catch (error) {
    const cleanup = { emit: context.emit, signal: AbortSignal.timeout(CLEANUP_MS) }
    // The first error is the one to tell; what could not be taken away now goes with the next deploy.
    await removeWorkload(parts, cleanup).catch(() => {})
    throw error
  } finally {
    done.abort()
  }
}

/** Removes the pods; nothing happens where there are none. @throws LabError; `signal.reason` */
export async function removeWorkload(parts: WorkloadParts, context: Context): Promise<void> {
  const ours = await patient(context, () => listOurs(parts, context.signal))
  if (ours.length === 0) return
  const done = new AbortController()
  const signal = AbortSignal.any([context.signal, done.signal])
  try {
    await deletePods(parts, ours, follow(podLists(parts, signal)), { emit: context.emit, signal })
  } finally {
    done.abort()
  }
}

/** The workload as the cluster has it; null where it is not whole and ready. @throws LabError; `signal.reason` */
export async function readWorkload(parts: WorkloadParts, signal: AbortSignal): Promise<Workload | null> {
  return workloadOf(await listOurs(parts, signal))
}

/**
 * Resolves with the error to tell once one of these pods is gone, replaced or ended. For what runs in the other one,
 * which would wait for it in vain.
 *
 * @throws LabError `cluster_unreachable`; `signal.reason`
 */
export async function untilGone(parts: WorkloadParts, refs: readonly PodRef[], signal: AbortSignal): Promise<LabError> {
  for await (const pods of podLists(parts, signal)) {
    const living = new Set(
      pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined).map(({ metadata }) => metadata.uid),
    )
    const gone = refs.find(({ uid }) => !living.has(uid))
    if (gone !== undefined) {
      return new LabError(
        'testbed_gone',
        `Pod ${gone.pod} was removed while the step ran.`,
        'Deploy again, then run the step again.',
        { remedyCommand: `kubectl -n ${gone.namespace} get pods` },
      )
    }
  }
  throw new Error('a watch ended by itself')
}
