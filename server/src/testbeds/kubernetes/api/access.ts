/** Asks the cluster for the rights of these credentials, before anything is changed. */
import pMap from 'p-map'
import type { Cluster } from './cluster.ts'
import { forbidden } from './errors.ts'
import type { Permission } from './permission.ts'

/**
 * At the same time. Each question needs a connection of its own, and twenty new connections at once are more than a
 * small proxy before the API server accepts: the rest of them waits for a second, until TCP tries again.
 */
const AT_ONCE = 4

/** @see https://kubernetes.io/docs/reference/kubernetes-api/authorization-resources/self-subject-access-review-v1/ */
async function mayDo(cluster: Cluster, permission: Permission, signal: AbortSignal): Promise<boolean> {
  const review = { verb: 'create', resource: 'selfsubjectaccessreviews', group: 'authorization.k8s.io' }
  const { status } = await cluster.request(review, signal, (options) =>
    cluster.authorization.createSelfSubjectAccessReview(
      { body: { spec: { resourceAttributes: { ...permission } } } },
      options,
    ),
  )
  return status?.allowed === true
}

/** The permissions that these credentials lack, in the same order. @throws LabError if the cluster can't be asked */
export async function missingAccess(
  cluster: Cluster,
  permissions: readonly Permission[],
  signal: AbortSignal,
): Promise<Permission[]> {
  const allowed = await pMap(permissions, (permission) => mayDo(cluster, permission, signal), { concurrency: AT_ONCE })
  return permissions.filter((_, index) => allowed[index] !== true)
}

/** @throws LabError `cluster_forbidden` that names everything missing */
export async function requireAccess(
  cluster: Cluster,
  permissions: readonly Permission[],
  signal: AbortSignal,
): Promise<void> {
  const missing = await missingAccess(cluster, permissions, signal)
  if (missing.length > 0) throw forbidden(cluster.context, missing)
}
