/** Checks of the access to the cluster: that it answers, and the rights of these credentials. */
import type { LabError } from '@expresslane/shared/base/errors'
import type { Check } from '@expresslane/shared/testbed/testbed'
import { failed, failedBy, passed, warning } from '../../check.ts'
import { typedLine } from '../../typed.ts'
import { canICommand, describePermission, type Permission } from '../api/permission.ts'
import { agentPermissions, switchPermissions } from '../api/permissions.ts'

const REACHABLE = { id: 'cluster', title: 'The API server answers' }
const ACCESS = { id: 'access', title: 'These credentials have all permissions that the labs need' }

export function reachableCheck(context: string, version: string): Check {
  return passed(REACHABLE.id, REACHABLE.title, `Kubernetes ${version}, context ${context}`)
}

export function unreachableCheck(error: LabError): Check {
  return failedBy(REACHABLE.id, REACHABLE.title, error, 'all')
}

/** The server that the requests go to, and whether the kubeconfig has the answers' certificate checked. */
export interface Endpoint {
  /** The cluster's name in the kubeconfig. */
  readonly name: string
  readonly server: string
  readonly skipTLSVerify: boolean
}

/** @param endpoint of the context in use */
export function identityCheck(context: string, { name, server, skipTLSVerify }: Endpoint): Check {
  const id = 'identity'
  const title = 'The API server proves who it is'
  if (!skipTLSVerify) return passed(id, title, `The kubeconfig has the certificate of ${server} checked.`)
  const isPlain = server.startsWith('http:')
  const how = isPlain ? 'connects over plain HTTP' : 'does not check who answers (insecure-skip-tls-verify)'
  return warning(
    id,
    title,
    `Context ${context} ${how}: anybody on the way to ${server} can read the credentials and answer for the cluster.`,
    {
      remedy: isPlain
        ? 'Use it only for a proxy on this machine, such as `kubectl proxy`; otherwise use the cluster’s https address.'
        : 'Put the certificate-authority-data of the cluster into the kubeconfig, and have it checked.',
      remedyCommand: isPlain
        ? null
        : typedLine(['kubectl', 'config', 'set-cluster', name, '--insecure-skip-tls-verify=false']),
    },
  )
}

/** Groups permissions that differ only in their verb: `get, list pods in namespace expresslane`. */
function grouped(missing: readonly Permission[]): string {
  const groups = new Map<string, string[]>()
  for (const permission of missing) {
    const what = describePermission(permission).slice(permission.verb.length + 1)
    groups.set(what, [...(groups.get(what) ?? []), permission.verb])
  }
  return [...groups].map(([what, verbs]) => `${verbs.join(', ')} ${what}`).join('; ')
}

/** @param missing the refused permissions of the `asked` */
export function accessCheck(asked: readonly Permission[], missing: readonly Permission[]): Check {
  const [first] = missing
  if (first === undefined) return passed(ACCESS.id, ACCESS.title, `All ${asked.length} permissions are granted.`)
  // Read-only: the settings and the pods can still be read.
  const readOnly = missing.every((one) => agentPermissions.includes(one) || switchPermissions.includes(one))
  const rest = readOnly ? ' The rest works: the settings and the pods can be read, and pods deployed.' : ''
  const fix = {
    remedy: `Ask an administrator of the cluster for the permissions in manifests/rbac.yaml, or choose a context that has them.${rest}`,
    remedyCommand: missing.length === 1 ? canICommand(first) : 'kubectl apply -f manifests/rbac.yaml',
  }
  const services = missing.every(({ resource }) => resource === 'services')
  const blocks = services ? ['outside-client'] : readOnly ? ['cilium-config'] : 'all'
  return failed(ACCESS.id, ACCESS.title, `Not allowed: ${grouped(missing)}.`, fix, blocks)
}

export function accessUnknownCheck(error: LabError): Check {
  return failedBy(ACCESS.id, ACCESS.title, error, 'all')
}

/** The cluster answered at first but stopped answering, or its answer could not be read. */
export function unreadableCheck(error: LabError): Check {
  return failedBy('cluster-reading', 'The cluster can be read', error, 'all')
}
