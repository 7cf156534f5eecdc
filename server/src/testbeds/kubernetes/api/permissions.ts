/** Everything that Expresslane does on a cluster, in the terms of RBAC; manifests/rbac.yaml grants exactly this. */
import type { Permission } from './permission.ts'

export const SYSTEM_NAMESPACE = 'kube-system'
export const CONFIG_MAP = 'cilium-config'
export const LEASE = 'expresslane'
/** As in manifests/nodeport.yaml. */
export const EXPOSED_SERVICE = 'netperf'
/** As in manifests/netperf.yaml. */
export const NETPERF_POLICY = { resource: 'networkpolicies', group: 'networking.k8s.io', name: 'netperf' } as const

function each(verbs: readonly string[], of: Omit<Permission, 'verb'>): Permission[] {
  return verbs.map((verb) => ({ verb, ...of }))
}

const system = { namespace: SYSTEM_NAMESPACE }
const leases = { resource: 'leases', group: 'coordination.k8s.io', ...system }

/** To read the cluster, its settings and the workload. */
export const readPermissions: readonly Permission[] = [
  ...each(['get'], { resource: 'namespaces', name: SYSTEM_NAMESPACE }),
  ...each(['list'], { resource: 'nodes' }),
  ...each(['list'], { resource: 'ciliumnodeconfigs', group: 'cilium.io', ...system }),
  ...each(['get', 'list', 'watch'], { resource: 'configmaps', name: CONFIG_MAP, ...system }),
  ...each(['get'], { resource: 'daemonsets', group: 'apps', name: 'cilium', ...system }),
  ...each(['get', 'list', 'watch'], { resource: 'pods', ...system }),
  ...each(['get'], { ...leases, name: LEASE }),
]

/**
 * To ask the agents and the kernels of their nodes. The agents' pods are privileged, so this amounts to control of the
 * cluster; without it these layers are unknown, and nothing can be switched.
 */
export const agentPermissions: readonly Permission[] =
  // A WebSocket starts with a GET; newer API servers also require `create`.
  each(['get', 'create'], { resource: 'pods', subresource: 'exec', ...system })

/** To switch: the setting, the restart of the agents, their logs, and the lease. */
export const switchPermissions: readonly Permission[] = [
  ...each(['patch'], { resource: 'configmaps', name: CONFIG_MAP, ...system }),
  ...each(['delete'], { resource: 'pods', ...system }),
  ...each(['get'], { resource: 'pods', subresource: 'log', ...system }),
  ...each(['list'], { resource: 'events', ...system }),
  // RBAC can't limit a create to one name.
  ...each(['create'], leases),
  ...each(['update'], { ...leases, name: LEASE }),
]

/** To create the workload's namespace, if it does not exist. */
const namespacePermissions = each(['create'], { resource: 'namespaces' })

/** To place the workload in its namespace and to run commands in its pods. Server-side apply is a patch, and the first time a create. */
export function workloadPermissions(namespace: string): readonly Permission[] {
  return [
    ...each(['get', 'patch'], { resource: 'namespaces', name: namespace }),
    // RBAC can't limit a create to one name.
    ...each(['create'], { resource: NETPERF_POLICY.resource, group: NETPERF_POLICY.group, namespace }),
    ...each(['patch', 'delete'], { ...NETPERF_POLICY, namespace }),
    ...each(['get', 'list', 'watch', 'create', 'patch', 'delete'], { resource: 'pods', namespace }),
    ...each(['get', 'create'], { resource: 'pods', subresource: 'exec', namespace }),
    ...each(['list', 'watch'], { resource: 'events', namespace }),
  ]
}

/** To place a backend behind a NodePort. The service belongs to its pod, so the cluster removes it. */
export function exposedPermissions(namespace: string): readonly Permission[] {
  return [
    ...each(['create'], { resource: 'services', namespace }),
    ...each(['patch'], { resource: 'services', name: EXPOSED_SERVICE, namespace }),
  ]
}

/** To read and deploy without asking agents or switching: manifests/rbac-read-only.yaml grants this. */
export function readOnlyPermissions(namespace: string): readonly Permission[] {
  return [...readPermissions, ...namespacePermissions, ...workloadPermissions(namespace)]
}

/** For all labs without a NodePort. */
export function usualPermissions(namespace: string): readonly Permission[] {
  return [
    ...readPermissions,
    ...agentPermissions,
    ...switchPermissions,
    ...namespacePermissions,
    ...workloadPermissions(namespace),
  ]
}

export function allPermissions(namespace: string): readonly Permission[] {
  return [...usualPermissions(namespace), ...exposedPermissions(namespace)]
}
