/** Reads the objects that facts and preflight need. */
import type { V1ConfigMap, V1DaemonSet, V1Namespace, V1Node, V1Pod } from '@kubernetes/client-node'
import type { Cluster } from '../api/cluster.ts'
import { hasStatus } from '../api/errors.ts'
import { CONFIG_MAP, SYSTEM_NAMESPACE } from '../api/permissions.ts'
import { SELECTOR } from '../workload/pods.ts'

/** Null if the object does not exist. */
async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked
  } catch (error) {
    if (hasStatus(error, 404)) return null
    throw error
  }
}

/** The API server's version: `v1.34.4`. */
export async function readVersion(cluster: Cluster, signal: AbortSignal): Promise<string> {
  const { gitVersion } = await cluster.request({ verb: 'get', resource: '/version' }, signal, (options) =>
    cluster.version.getCode(options),
  )
  return gitVersion
}

export function readNamespace(cluster: Cluster, name: string, signal: AbortSignal): Promise<V1Namespace | null> {
  const permission = { verb: 'get', resource: 'namespaces', name }
  return orNull(cluster.request(permission, signal, (options) => cluster.core.readNamespace({ name }, options)))
}

/** The cluster's id: a new cluster at the same address has another id. @throws LabError */
export async function readIncarnation(cluster: Cluster, signal: AbortSignal): Promise<string> {
  const permission = { verb: 'get', resource: 'namespaces', name: SYSTEM_NAMESPACE }
  const { metadata } = await cluster.request(permission, signal, (options) =>
    cluster.core.readNamespace({ name: SYSTEM_NAMESPACE }, options),
  )
  return metadata?.uid ?? cluster.context
}

/** The nodes that Cilium's agents run on: its DaemonSet selects Linux. */
export async function listNodes(cluster: Cluster, signal: AbortSignal): Promise<V1Node[]> {
  const { items } = await cluster.request({ verb: 'list', resource: 'nodes' }, signal, (options) =>
    cluster.core.listNode({}, options),
  )
  return items.filter(({ metadata }) => (metadata?.labels?.['kubernetes.io/os'] ?? 'linux') === 'linux')
}

export function readConfigMap(cluster: Cluster, signal: AbortSignal): Promise<V1ConfigMap | null> {
  const at = { namespace: SYSTEM_NAMESPACE, name: CONFIG_MAP }
  return orNull(
    cluster.request({ verb: 'get', resource: 'configmaps', ...at }, signal, (options) =>
      cluster.core.readNamespacedConfigMap(at, options),
    ),
  )
}

export function readDaemonSet(cluster: Cluster, signal: AbortSignal): Promise<V1DaemonSet | null> {
  const at = { namespace: SYSTEM_NAMESPACE, name: 'cilium' }
  return orNull(
    cluster.request({ verb: 'get', resource: 'daemonsets', group: 'apps', ...at }, signal, (options) =>
      cluster.apps.readNamespacedDaemonSet(at, options),
    ),
  )
}

/** The workload's pods, in any state. */
export async function listWorkload(cluster: Cluster, namespace: string, signal: AbortSignal): Promise<V1Pod[]> {
  const { items } = await cluster.request({ verb: 'list', resource: 'pods', namespace }, signal, (options) =>
    cluster.core.listNamespacedPod({ namespace, labelSelector: SELECTOR }, options),
  )
  return items
}
