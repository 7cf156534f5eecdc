/** The nodes as the API server reports them. */
import type { V1Node } from '@kubernetes/client-node'
import type { ClusterNode } from '@expresslane/shared/testbed/testbed'
import type { Family } from '@expresslane/shared/base/units'

/** The prefix that {@link keepsAway} gives a taint. */
export const TAINT = 'taint '

/**
 * Cilium's operator sets it on a node whose agent is not ready, and removes it some seconds after it is. It says
 * nothing about the node, and other checks report the agent.
 */
export const AGENT_TAINT = 'node.cilium.io/agent-not-ready'

/** Why a node does not accept the workload's pods; null if it does. They tolerate no taint. */
export function keepsAway({ spec, status }: V1Node): string | null {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')
  if (ready?.status !== 'True') return ready?.message ?? 'its kubelet reports nothing'
  if (spec?.unschedulable === true) return 'cordoned'
  const taint = spec?.taints?.find(
    ({ key, effect }) => key !== AGENT_TAINT && (effect === 'NoSchedule' || effect === 'NoExecute'),
  )
  return taint === undefined ? null : `${TAINT}${taint.key}:${taint.effect}`
}

/**
 * Taints that the control plane removes: the agent or the kubelet becomes ready, or the node reports again, for
 * example after an outage of the API server.
 */
const passingKeys = new Set([
  AGENT_TAINT,
  'node.kubernetes.io/not-ready',
  'node.kubernetes.io/unreachable',
  'node.kubernetes.io/network-unavailable',
])

/** A taint of the node that can go away without help; null if there is none. */
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

/** The facts of a node that are known without an agent. */
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

/** The node's range of pod addresses of a family, as the controller manager assigned it; null for none. */
export function podCidr({ spec }: V1Node, of: Family): string | null {
  const ranges = spec?.podCIDRs ?? (spec?.podCIDR === undefined ? [] : [spec.podCIDR])
  return ranges.find((range) => range.includes(':') === (of === 'ipv6')) ?? null
}
