/** A permission for a cluster's objects, in the terms of RBAC. */
export interface Permission {
  /** `get`, `list`, `watch`, `create`, `patch`, `update`, `delete`. */
  readonly verb: string
  /** Plural: `pods`, `configmaps`. */
  readonly resource: string
  /** `exec` or `log` of a pod. */
  readonly subresource?: string
  /** The API group; without it, the core group. */
  readonly group?: string
  /** Without it, all namespaces, or a resource without a namespace. */
  readonly namespace?: string
  /** The name of an object; without it, all objects. */
  readonly name?: string
}

/** `pods/exec`, `leases.coordination.k8s.io`: a resource as `kubectl` takes it. */
function resourceName({ resource, subresource, group }: Permission): string {
  const full = group === undefined ? resource : `${resource}.${group}`
  return subresource === undefined ? full : `${full}/${subresource}`
}

/** For people: `get pods/exec in namespace kube-system`. */
export function describePermission(permission: Permission): string {
  const { verb, namespace, name } = permission
  const which = name === undefined ? '' : ` "${name}"`
  const where = namespace === undefined ? '' : ` in namespace ${namespace}`
  return `${verb} ${resourceName(permission)}${which}${where}`
}

/** The command that checks the permission. */
export function canICommand({ verb, resource, subresource, group, namespace, name }: Permission): string {
  const full = group === undefined ? resource : `${resource}.${group}`
  return [
    'kubectl auth can-i',
    verb,
    name === undefined ? full : `${full}/${name}`,
    ...(subresource === undefined ? [] : [`--subresource=${subresource}`]),
    ...(namespace === undefined ? [] : [`-n ${namespace}`]),
  ].join(' ')
}
