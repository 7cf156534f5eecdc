/** What the API server says of the nodes. */
import type { V1Node } from '@kubernetes/client-node'
import type { ClusterNode } from '@expresslane/shared/testbed/testbed'
import type { Family } from '@expresslane/shared/measure/units'

/** Begins what {@link keepsAway} says of a taint. */
export const TAINT = 'taint '

/**
 * Cilium's operator puts it on a node whose agent is not ready, and takes it away some seconds after it is: no
 * property of the node, and what is wrong with the agent is told by itself.
 */
const PASSING = 'node.cilium.io/agent-not-ready'

/** Why the workload's pods can't land on a node; null where they can. They tolerate no taint. */
export function keepsAway({ spec, status }: V1Node): string | null {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')
  if (ready?.status !== 'True') return ready?.message ?? 'its kubelet reports nothing'
  if (spec?.unschedulable === true) return 'cordoned'
  const taint = spec?.taints?.find(
    ({ key, effect }) => key !== PASSING && (effect === 'NoSchedule' || effect === 'NoExecute'),
  )
  return taint === undefined ? null : `${TAINT}${taint.key}:${taint.effect}`
}

/**
 * What the control plane takes away by itself: the agent becomes ready, the kubelet too, or it is heard of again, as
 * when only the API server was away.
 */
const passingKeys = new Set([
  PASSING,
  'node.kubernetes.io/not-ready',
  'node.kubernetes.io/unreachable',
  'node.kubernetes.io/network-unavailable',
])

/** What a node is still waiting for, where that may pass by itself; null where nothing keeps it back. */
export function passingTaint({ spec }: V1Node): string | null {
  return spec?.taints?.find(({ key }) => passingKeys.has(key))?.key ?? null
}

/** A quantity of whole CPUs, or of thousandths: `2`, `7910m`. */
function cpusOf({ status }: V1Node): number {
  const quantity = status?.capacity?.['cpu'] ?? ''
  const cpus = quantity.endsWith('m') ? Number(quantity.slice(0, -1)) / 1000 : Number(quantity)
  return Number.isFinite(cpus) ? Math.max(1, Math.ceil(cpus)) : 1
}

export function nameOf({ metadata }: V1Node): string {
  return metadata?.name ?? ''
}

/** What needs no agent to be known. */
export function toNode(node: V1Node): Omit<ClusterNode, 'cilium' | 'devices'> {
  const info = node.status?.nodeInfo
  return {
    name: nameOf(node),
    kernel: info?.kernelVersion ?? 'unknown',
    os: info?.osImage ?? 'unknown',
    runtime: info?.containerRuntimeVersion ?? 'unknown',
    kubelet: info?.kubeletVersion ?? 'unknown',
    cpus: cpusOf(node),
    schedulable: keepsAway(node) === null,
  }
}

/** The node's range of pod addresses of a family, as the controller manager gave it out; null for none. */
export function podCidr({ spec }: V1Node, of: Family): string | null {
  const ranges = spec?.podCIDRs ?? (spec?.podCIDR === undefined ? [] : [spec.podCIDR])
  return ranges.find((range) => range.includes(':') === (of === 'ipv6')) ?? null
}
