/** Interprets the API objects of the workload's pods. Pure. */
import { maxOf } from '@expresslane/shared/measure/extremes'
import { isIPv4, isIPv6 } from 'node:net'
import { LabError } from '@expresslane/shared/base/errors'
import {
  CLIENT,
  SERVER,
  type Placement,
  type PlacementVariant,
  type Pod,
  type Role,
} from '@expresslane/shared/testbed/placement'
import { epochMs } from '@expresslane/shared/base/units'
import { z } from 'zod'
import { BACKEND_POD, ENTRY } from '@expresslane/shared/testbed/exposed'
import { conditionOf, podMetadata, podStatus } from '../api/pod.ts'
import type { ExecTarget } from '../exec/exec.ts'

const NAME = 'app.kubernetes.io/name'
const COMPONENT = 'app.kubernetes.io/component'
export const MANAGED_BY = 'app.kubernetes.io/managed-by'
export const MANAGED_BY_US = 'expresslane'
/** Selects the workload's pods. */
export const SELECTOR = `${NAME}=netperf,${MANAGED_BY}=${MANAGED_BY_US}`

/** The parts of a pod that matter here. */
export const workloadPod = z.object({
  metadata: podMetadata.extend({
    namespace: z.string(),
    annotations: z.record(z.string(), z.string()).optional(),
    creationTimestamp: z.coerce.date(),
  }),
  spec: z.object({
    nodeName: z.string().optional(),
    hostNetwork: z.boolean().default(false),
    containers: z.array(z.object({ name: z.string(), image: z.string().optional() })).min(1),
  }),
  status: podStatus,
})
export type WorkloadPod = z.infer<typeof workloadPod>

/** Why a pod will not become ready without help. */
export type StuckCause = 'schedule' | 'image' | 'configuration' | 'crash'

export type PodProgress =
  | { readonly is: 'ready' }
  | { readonly is: 'ending' }
  /** `why`: the scheduler's or the kubelet's words. */
  | { readonly is: 'waiting'; readonly why: string }
  /** An error once it has lasted for `afterMs`. */
  | { readonly is: 'stuck'; readonly cause: StuckCause; readonly why: string; readonly afterMs: number }

/**
 * A node can become free in the meantime; the scheduler retries after up to 10 s (its `podMaxBackoffSeconds`). Its
 * message is on the screen meanwhile.
 */
const SCHEDULE_MS = 12_000
/** The node's runtime can still be busy with the previous pod. */
const START_MS = 5_000
/** The kubelet retries a failed registry after 10 s. */
const PULL_MS = 11_000
/** Words of a registry, or about its name, that no retry changes. */
const PULLED_NEVER = /not found|no such host|denied|unauthorized|authorization failed|manifest unknown/i

/** The kubelet's reasons for a waiting container, without the temporary reasons. */
const stuckReasons = new Map<string, { readonly cause: StuckCause; readonly afterMs: number }>([
  ['ErrImageNeverPull', { cause: 'image', afterMs: 0 }],
  ['InvalidImageName', { cause: 'image', afterMs: 0 }],
  ['ErrImagePull', { cause: 'image', afterMs: PULL_MS }],
  ['ImagePullBackOff', { cause: 'image', afterMs: PULL_MS }],
  ['ImageInspectError', { cause: 'image', afterMs: PULL_MS }],
  ['CreateContainerConfigError', { cause: 'configuration', afterMs: 0 }],
  ['CreateContainerError', { cause: 'configuration', afterMs: START_MS }],
  ['RunContainerError', { cause: 'configuration', afterMs: START_MS }],
  ['CrashLoopBackOff', { cause: 'crash', afterMs: 0 }],
])

function words(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(': ')
}

/** Whether this pod belongs to the workload. */
export function isOurs({ metadata: { labels } }: WorkloadPod): boolean {
  return labels[NAME] === 'netperf' && labels[MANAGED_BY] === MANAGED_BY_US
}

/** The progress of a pod on its way to ready. */
export function podProgress({ metadata, status }: WorkloadPod): PodProgress {
  if (metadata.deletionTimestamp !== undefined) return { is: 'ending' }
  const ended = status.containerStatuses.map((one) => one.state.terminated ?? one.lastState?.terminated)
  const last = ended.find((one) => one !== undefined)
  const lastWords = words(last?.reason, last?.message?.trim())
  if (status.phase === 'Failed' || status.phase === 'Succeeded') {
    return {
      is: 'stuck',
      cause: 'crash',
      why: words(status.reason ?? status.phase, status.message, lastWords),
      afterMs: 0,
    }
  }
  const scheduled = conditionOf(status, 'PodScheduled')
  if (scheduled?.status === 'False') {
    const why = words(scheduled.reason, scheduled.message)
    return { is: 'stuck', cause: 'schedule', why, afterMs: SCHEDULE_MS }
  }
  for (const one of status.containerStatuses) {
    const present = one.state.waiting
    if (present === undefined) continue
    const why = words(present.reason, present.message, lastWords)
    const stuck = stuckReasons.get(present.reason ?? '')
    if (stuck === undefined) return { is: 'waiting', why }
    const afterMs = stuck.cause === 'image' && PULLED_NEVER.test(why) ? 0 : stuck.afterMs
    return { is: 'stuck', cause: stuck.cause, why, afterMs }
  }
  const ready = conditionOf(status, 'Ready')
  if (ready?.status === 'True' && status.podIPs.length > 0) return { is: 'ready' }
  if (scheduled === undefined) return { is: 'waiting', why: 'waiting for the scheduler' }
  const why = words(ready?.reason, ready?.message)
  return { is: 'waiting', why: why === '' ? 'waiting for its node' : why }
}

/** A pod that commands can be run in. */
export interface PodRef extends ExecTarget {
  readonly uid: string
  readonly node: string
}

/** The roles of manifests/netperf.yaml, in the order of the path. */
export const manifestRoles: readonly Role[] = [CLIENT, SERVER]

const ENTRY_NODE = 'expresslane/entry-node'
const ENTRY_ADDRESS = { ipv4: 'expresslane/entry-ipv4', ipv6: 'expresslane/entry-ipv6' } as const

/** A backend's pod remembers the node that clients call. */
export function entryAnnotations({ node, addresses: { ipv4, ipv6 } }: Pod): Record<string, string> {
  return {
    [ENTRY_NODE]: node,
    ...(ipv4 === null ? {} : { [ENTRY_ADDRESS.ipv4]: ipv4 }),
    ...(ipv6 === null ? {} : { [ENTRY_ADDRESS.ipv6]: ipv6 }),
  }
}

/** The node that clients call, from the backend's pod; empty for other pods. */
function entryOf({ metadata: { annotations } }: WorkloadPod): Pod[] {
  const node = annotations?.[ENTRY_NODE]
  if (node === undefined) return []
  const addresses = {
    ipv4: annotations?.[ENTRY_ADDRESS.ipv4] ?? null,
    ipv6: annotations?.[ENTRY_ADDRESS.ipv6] ?? null,
  }
  return [{ role: ENTRY, name: 'NodePort', node, addresses }]
}

/** The roles of the pods: the pair's roles, or the backend behind a NodePort. */
function rolesOf(pods: readonly WorkloadPod[]): readonly Role[] {
  return pods.some((pod) => isOurs(pod) && pod.metadata.labels[COMPONENT] === BACKEND_POD)
    ? [BACKEND_POD]
    : manifestRoles
}

/** The workload as the cluster has it. */
export interface PlacedWorkload {
  readonly placement: Placement
  readonly pods: ReadonlyMap<Role, PodRef>
}

/** @throws LabError `not_found` for a role that the workload does not have */
export function podIn({ pods }: PlacedWorkload, role: Role): PodRef {
  const ref = pods.get(role)
  if (ref !== undefined) return ref
  throw new LabError('not_found', `The cluster has no ${role} pod.`, `Its pods are ${[...pods.keys()].join(', ')}.`)
}

function toPod(role: Role, { metadata, spec, status }: WorkloadPod): Pod {
  const ips = status.podIPs.map(({ ip }) => ip)
  const addresses = { ipv4: ips.find((ip) => isIPv4(ip)) ?? null, ipv6: ips.find((ip) => isIPv6(ip)) ?? null }
  return { role, name: metadata.name, node: spec.nodeName ?? '', addresses }
}

/** The pods once all their containers run, ready or not; null until then. */
export function runningOf(pods: readonly WorkloadPod[]): PodRef[] | null {
  const runs = ({ status }: WorkloadPod): boolean => status.containerStatuses.some((one) => one.state.running)
  return pods.every(runs) ? pods.map(refOf) : null
}

export function refOf({ metadata, spec }: WorkloadPod): PodRef {
  const [container] = spec.containers
  const image = container?.image === undefined ? {} : { image: container.image }
  return {
    namespace: metadata.namespace,
    pod: metadata.name,
    container: container?.name ?? '',
    uid: metadata.uid,
    node: spec.nodeName ?? '',
    ...image,
  }
}

function variantOf(pods: readonly WorkloadPod[]): PlacementVariant {
  if (pods.every(({ spec }) => spec.hostNetwork)) return 'host-network'
  const nodes = pods.flatMap((pod) => [pod.spec.nodeName, ...entryOf(pod).map(({ node }) => node)])
  return new Set(nodes).size === 1 ? 'same-node' : 'other-node'
}

/**
 * Whether the pod runs, by its kubelet's report. After an outage of the API server the control plane marks the pods of
 * a silent node as not ready; their containers keep running.
 */
function isUp(pod: WorkloadPod): boolean {
  const progress = podProgress(pod)
  if (progress.is === 'ready') return true
  const containers = conditionOf(pod.status, 'ContainersReady')
  return progress.is === 'waiting' && containers?.status === 'True' && pod.status.podIPs.length > 0
}

/** The workload if it is complete: one running pod for each role, none of them ending. Else null. */
export function workloadOf(pods: readonly WorkloadPod[]): PlacedWorkload | null {
  const roles = rolesOf(pods)
  const found = roles.flatMap((role) =>
    pods
      .filter((pod) => isOurs(pod) && pod.metadata.labels[COMPONENT] === role && isUp(pod))
      .map((pod) => ({ role, pod })),
  )
  if (found.map(({ role }) => role).join() !== roles.join()) return null
  const madeAt = maxOf(found.map(({ pod }) => pod.metadata.creationTimestamp.getTime()))
  return {
    placement: {
      madeAt: epochMs.parse(madeAt),
      variant: variantOf(found.map(({ pod }) => pod)),
      pods: found.flatMap(({ role, pod }) => [...entryOf(pod), toPod(role, pod)]),
      cpus: {},
    },
    pods: new Map(found.map(({ role, pod }) => [role, refOf(pod)])),
  }
}
