/** The netperf pair on the cluster: created, removed, and always read from the cluster, so it survives a restart. */
import { BACKEND_POD, exposedRoles } from '@expresslane/shared/testbed/exposed'
import { LabError } from '@expresslane/shared/base/errors'
import type { Placement, PlacementVariant } from '@expresslane/shared/testbed/placement'
import type { CallContext } from '../../testbed.ts'
import { requireRoles, type Workload } from '../../workload.ts'
import { typedLine } from '../../typed.ts'
import { requireAccess } from '../api/access.ts'
import { follow } from '../api/followed.ts'
import { policyFor, readManifest, typedApply, type Manifest, type Objects } from './manifest.ts'
import { patient } from '../api/patience.ts'
import { raced } from '../api/raced.ts'
import {
  applyNamespace,
  applyPod,
  CLEANUP_MS,
  deletePods,
  listOurs,
  podLists,
  typedWait,
  watchPods,
  type WorkloadParts,
} from './pod-ops.ts'
import { applyPolicy, removePolicy } from './policy.ts'
import { makeExposed } from './exposed.ts'
import { isOurs, manifestRoles, runningOf, workloadOf, type PlacedWorkload, type PodRef } from './pods.ts'
import { workloadPermissions } from '../api/permissions.ts'
import { admission, inTheWay, notAdmitted, type WorkloadNames } from './workload-errors.ts'
import { movePacket, thePair, waitUntilReady } from './workload-wait.ts'

export type { WorkloadParts } from './pod-ops.ts'

/**
 * Applies namespace, policy and pods. An apply is never aborted midway: its outcome would be unknown.
 *
 * @returns the pods' UIDs
 */
async function apply(
  parts: WorkloadParts,
  manifest: Objects,
  names: WorkloadNames,
  context: CallContext,
): Promise<Set<string>> {
  await applyNamespace(parts, manifest.namespace, context)
  context.signal.throwIfAborted()
  await applyPolicy(parts.cluster, manifest.policy, context)
  context.signal.throwIfAborted()
  const applied = await Promise.allSettled(manifest.pods.map((pod) => applyPod(parts, pod, context)))
  const failed = applied.find((one) => one.status === 'rejected')
  if (failed !== undefined) throw admission(failed.reason, (words) => notAdmitted(words, names))
  return new Set(applied.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])))
}

/** Replaces the workload's pods with the pods of a manifest, and waits until they are ready. */
async function replace(
  parts: WorkloadParts,
  manifest: Objects,
  names: WorkloadNames,
  agents: Promise<void> | null,
  context: CallContext,
): Promise<PlacedWorkload> {
  const { console, namespace, programs, reaper } = parts
  const seen = watchPods(parts, context)
  const present = await seen.pods.latest()
  const wanted = manifest.pods.map((pod) => pod.metadata?.name ?? '')
  const foreign = present.find((pod) => !isOurs(pod) && wanted.includes(pod.metadata.name))
  if (foreign !== undefined) throw inTheWay(foreign.metadata.name, names)
  await deletePods(parts, present.filter(isOurs), seen.pods, context)
  await raced(context.signal, async () => agents)

  const typed = typedApply([manifest.namespace, manifest.policy, ...manifest.pods])
  const uids = await console.showAs(typed, context, () => apply(parts, manifest, names, context))
  const wait = thePair(uids, names)
  if (programs !== undefined) {
    const running = await waitUntilReady(seen, { ...wait, whole: runningOf }, context)
    await Promise.all(running.map((at) => programs.ensure(at, context)))
  }
  const workload = await console.showAs(typedWait(namespace, wanted), context, () =>
    waitUntilReady(seen, wait, context),
  )
  for (const at of workload.pods.values()) reaper.fresh(at)
  return workload
}

async function makePair(
  parts: WorkloadParts,
  manifest: Manifest,
  names: WorkloadNames,
  agents: Promise<void> | null,
  context: CallContext,
): Promise<Placement> {
  const { console } = parts
  const workload = await replace(parts, manifest, names, agents, context)
  const addresses = workload.placement.pods.flatMap((pod) => Object.values(pod.addresses).filter((one) => one !== null))
  const policy = policyFor(manifest.policy, addresses)
  await console.showAs(typedApply([policy]), context, () => applyPolicy(parts.cluster, policy, context))
  await Promise.all((['ipv4', 'ipv6'] as const).map((family) => movePacket(console, workload, family, context)))
  return workload.placement
}

/**
 * Replaces the pods with new ones, waits until they are ready and a packet has passed between them. After a failure or
 * a cancel no pods are left, unless the API server is away: then the next deploy removes them.
 *
 * @param agents if agents restart: resolves when no old agent is left, and the new pods are created then. They tolerate
 * nodes whose agent is not ready
 * @throws LabError `cluster_forbidden` before anything is touched; `workload_not_ready` with the cluster's own reason,
 * `netserver_unreachable`, `cluster_unreachable`; `signal.reason` once aborted
 */
export async function deployWorkload(
  parts: WorkloadParts,
  workload: Workload,
  variant: PlacementVariant,
  context: CallContext,
  agents: Promise<void> | null = null,
): Promise<Placement> {
  context.signal.throwIfAborted()
  const isExposed = workload.roles.includes(BACKEND_POD)
  requireRoles(workload, isExposed ? exposedRoles : manifestRoles)
  const { namespace, image, programs, podSeconds, cluster } = parts
  await patient(context, () => requireAccess(cluster, workloadPermissions(namespace), context.signal))
  const names = { namespace, image, variant }
  // The watches end with the deploy.
  const done = new AbortController()
  const inner = { emit: context.emit, signal: AbortSignal.any([context.signal, done.signal]) }
  try {
    if (isExposed) {
      return await makeExposed(parts, names, (manifest) => replace(parts, manifest, names, agents, inner), inner)
    }
    const isBare = programs !== undefined
    const manifest = await readManifest({ ...names, isBare, podSeconds, toleratesRestart: agents !== null })
    return await makePair(parts, manifest, names, agents, inner)
  } catch (error) {
    const cleanup = { emit: context.emit, signal: AbortSignal.timeout(CLEANUP_MS) }
    // The first error is the one to report; the next deploy removes the rest.
    await removeWorkload(parts, cleanup).catch(() => {})
    throw error
  } finally {
    done.abort()
  }
}

/** Removes the pods, if there are any, and their policy. @throws LabError; `signal.reason` */
export async function removeWorkload(parts: WorkloadParts, context: CallContext): Promise<void> {
  const ours = await patient(context, () => listOurs(parts, context.signal))
  if (ours.length === 0) return
  await removePolicy(parts.cluster, parts.namespace, context)
  const done = new AbortController()
  const signal = AbortSignal.any([context.signal, done.signal])
  try {
    await deletePods(parts, ours, follow(podLists(parts, signal)), { emit: context.emit, signal })
  } finally {
    done.abort()
  }
}

/** The workload as the cluster has it; null if it is not complete and ready. @throws LabError; `signal.reason` */
export async function readWorkload(parts: WorkloadParts, signal: AbortSignal): Promise<PlacedWorkload | null> {
  return workloadOf(await listOurs(parts, signal))
}

/** The error to report if one of these pods is gone, replaced or ended; null if all of them run. */
function goneFrom(pods: Awaited<ReturnType<typeof listOurs>>, refs: readonly PodRef[]): LabError | null {
  const living = new Set(
    pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined).map(({ metadata }) => metadata.uid),
  )
  const gone = refs.find(({ uid }) => !living.has(uid))
  if (gone === undefined) return null
  return new LabError(
    'testbed_gone',
    `Pod ${gone.pod} was removed while the step ran.`,
    'If the lab has a Deploy step, run it again. Then run this step again.',
    { remedyCommand: typedLine(['kubectl', '-n', gone.namespace, 'get', 'pods']) },
  )
}

/** @throws LabError `testbed_gone` if one of these pods is gone; `cluster_unreachable`; `signal.reason` */
export async function requirePods(parts: WorkloadParts, refs: readonly PodRef[], signal: AbortSignal): Promise<void> {
  const gone = goneFrom(await listOurs(parts, signal), refs)
  if (gone !== null) throw gone
}

/**
 * Resolves with the error to report once one of these pods is gone, replaced or ended. A command in the other pod
 * would wait for it forever.
 *
 * @throws LabError `cluster_unreachable`; `signal.reason`
 */
export async function untilGone(parts: WorkloadParts, refs: readonly PodRef[], signal: AbortSignal): Promise<LabError> {
  for await (const pods of podLists(parts, signal)) {
    const gone = goneFrom(pods, refs)
    if (gone !== null) return gone
  }
  throw new Error('a watch ended by itself')
}
