/** The Lease object in the cluster: read, and written only over the version that was read. */
import type { V1Lease } from '@kubernetes/client-node'
import { LabError } from '@expresslane/shared/base/errors'
import { epochMs, type EpochMs } from '@expresslane/shared/base/units'
import type { Cluster } from '../api/cluster.ts'
import { hasStatus } from '../api/errors.ts'
import type { Permission } from '../api/permission.ts'
import { LEASE, SYSTEM_NAMESPACE } from '../api/permissions.ts'

/** The holder, as the lease names it. */
export interface LeaseHolder {
  /** The value in the lease, verbatim. */
  readonly identity: string
  /** Null if the lease does not contain it. */
  readonly since: EpochMs | null
  readonly renewedAt: EpochMs | null
  /** How long it is valid after it was renewed. */
  readonly seconds: number
}

export interface StoredLease {
  readonly version: string
  readonly transitions: number
  /** Null if nobody holds it. */
  readonly holder: LeaseHolder | null
}

export interface LeaseStore {
  /** Null if there is none yet. */
  read(signal: AbortSignal): Promise<StoredLease | null>
  /**
   * Null when somebody else was faster.
   *
   * @param over the lease to replace; null to create it
   */
  write(over: StoredLease | null, spec: NonNullable<V1Lease['spec']>, signal: AbortSignal): Promise<StoredLease | null>
}

/** The duration of a lease that names none: client-go's default. */
const DEFAULT_SECONDS = 15

/** The client's type is a MicroTime, but it returns the API server's text. */
function timeOf(value: Date | string | undefined): EpochMs | null {
  const read = epochMs.safeParse(value === undefined ? null : new Date(value).getTime())
  return read.success ? read.data : null
}

/** The parts of a Lease that matter here. */
function readLease({ metadata, spec }: V1Lease): StoredLease {
  const identity = spec?.holderIdentity ?? ''
  const seconds = spec?.leaseDurationSeconds ?? DEFAULT_SECONDS
  const times = { since: timeOf(spec?.acquireTime), renewedAt: timeOf(spec?.renewTime) }
  return {
    version: metadata?.resourceVersion ?? '',
    transitions: spec?.leaseTransitions ?? 0,
    holder: identity === '' ? null : { identity, ...times, seconds },
  }
}

export function createLeaseStore(cluster: Cluster, name: string = LEASE): LeaseStore {
  const namespace = SYSTEM_NAMESPACE
  const may = (verb: string): Permission => ({ verb, resource: 'leases', group: 'coordination.k8s.io', namespace })
  return {
    async read(signal) {
      try {
        const lease = await cluster.request({ ...may('get'), name }, signal, (options) =>
          cluster.coordination.readNamespacedLease({ name, namespace }, options),
        )
        return readLease(lease)
      } catch (error) {
        if (error instanceof LabError && error.code === 'not_found') return null
        throw error
      }
    },
    async write(over, spec, signal) {
      try {
        if (over === null) {
          const body = { metadata: { name, namespace }, spec }
          const made = await cluster.request(may('create'), signal, (options) =>
            cluster.coordination.createNamespacedLease({ namespace, body }, options),
          )
          return readLease(made)
        }
        const body = { metadata: { name, namespace, resourceVersion: over.version }, spec }
        const replaced = await cluster.request({ ...may('update'), name }, signal, (options) =>
          cluster.coordination.replaceNamespacedLease({ name, namespace, body }, options),
        )
        return readLease(replaced)
      } catch (error) {
        if (hasStatus(error, 409) || (error instanceof LabError && error.code === 'not_found')) return null
        throw error
      }
    },
  }
}
