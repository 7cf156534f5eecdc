/**
 * A single Expresslane at a time switches a cluster: a Lease in the cluster (coordination.k8s.io) names it. The lease
 * is claimed and renewed as in client-go's leader election: each write names the version that it replaces, and a holder
 * counts as gone when its lease has not changed for its duration *by our clock*, so no two clocks are compared.
 *
 * @see https://github.com/kubernetes/client-go/blob/master/tools/leaderelection/leaderelection.go
 */
import { setTimeout as delay } from 'node:timers/promises'
import { V1MicroTime, type V1LeaseSpec } from '@kubernetes/client-node'
import { LabError } from '@expresslane/shared/base/errors'
import type { CallContext } from '../../testbed.ts'
import type { Cluster } from '../api/cluster.ts'
import { describeHolder, describeIdentity, provablyGone, secondsLeft } from './holder.ts'
import { createLeaseStore, type LeaseHolder, type LeaseStore, type StoredLease } from './lease-store.ts'
import { patient } from '../api/patience.ts'
import { LEASE, SYSTEM_NAMESPACE } from '../api/permissions.ts'

/** Longer than a 20 s outage of the API server plus one renewal interval. */
const DURATION_S = 30
const RENEW_MS = 5000
/** Between two reads of another's lease, and between two attempts after a failed renewal. */
const LOOK_MS = 1000
/** A lease that was not renewed for so long is renewed before anything is changed. */
const FRESH_MS = 12_000
const RELEASE_MS = 3000

interface LeaseParts {
  readonly cluster: Cluster
  /** @see newIdentity */
  readonly identity: string
  /** @defaultValue {@link LEASE} */
  readonly name?: string
}

/** A lease that is held. */
export interface Held {
  /**
   * Aborted with `cluster_locked` once another process has the lease. Nothing must be changed then, not even to restore
   * it.
   */
  readonly lost: AbortSignal
  /** Await it before each change. @throws LabError `cluster_locked`, `cluster_unreachable` */
  confirm(context: CallContext): Promise<void>
}

const look = { remedyCommand: `kubectl -n ${SYSTEM_NAMESPACE} get lease ${LEASE} -o yaml` }

function locked(holder: LeaseHolder): LabError {
  return new LabError(
    'cluster_locked',
    `Another Expresslane is switching this cluster: ${describeHolder(holder, Date.now())}.`,
    'Wait until it is done, then run the step again.',
    look,
  )
}

function lostTo({ identity }: LeaseHolder): LabError {
  return new LabError(
    'cluster_locked',
    `${describeIdentity(identity)} took over the lease of this cluster during the step; nothing was changed after that.`,
    'Wait until it is done, then run the step again or press Restore.',
    look,
  )
}

/** `present` with us as its holder: an acquisition if it was not ours. */
function claim(present: StoredLease | null, identity: string): V1LeaseSpec {
  const now = new V1MicroTime()
  const since = present?.holder?.identity === identity ? present.holder.since : null
  return {
    holderIdentity: identity,
    leaseDurationSeconds: DURATION_S,
    acquireTime: since === null ? now : new V1MicroTime(since),
    renewTime: now,
    leaseTransitions: (present?.transitions ?? 0) + (since === null ? 1 : 0),
  }
}

/** Waits until a holder that does not renew expires; fails if the holder renews. */
async function acquire(store: LeaseStore, identity: string, context: CallContext): Promise<StoredLease> {
  let seen: { readonly version: string; readonly at: number } | null = null
  for (;;) {
    const present = await patient(context, () => store.read(context.signal))
    const holder = present?.holder ?? null
    const sameMs: number = seen !== null && seen.version === present?.version ? performance.now() - seen.at : 0
    const free = holder === null || holder.identity === identity || provablyGone(holder.identity)
    if (free || sameMs >= holder.seconds * 1000) {
      // If a write arrived but its answer was lost, the next round finds the lease as ours.
      const mine = await patient(context, () => store.write(present, claim(present, identity), context.signal))
      if (mine !== null) return mine
      seen = null
      continue
    }
    const version = present?.version ?? ''
    if (seen !== null && seen.version !== version) throw locked(holder)
    seen ??= { version, at: performance.now() }
    context.emit({
      type: 'progress',
      subject: null,
      message: `Waiting for another Expresslane: ${describeHolder(holder, Date.now())}.`,
      done: Math.min(Math.floor(sameMs / 1000), holder.seconds),
      total: Math.max(1, holder.seconds),
    })
    await delay(LOOK_MS, undefined, { signal: context.signal }).catch(() => context.signal.throwIfAborted())
  }
}

/** Releases it; if that fails, it expires. */
async function release(store: LeaseStore, lease: StoredLease, identity: string): Promise<void> {
  const signal = AbortSignal.timeout(RELEASE_MS)
  const freed = (present: StoredLease): V1LeaseSpec => ({
    leaseDurationSeconds: 1,
    renewTime: new V1MicroTime(),
    leaseTransitions: present.transitions,
  })
  try {
    if ((await store.write(lease, freed(lease), signal)) !== null) return
    // A renewal whose response was lost has created a newer version.
    const present = await store.read(signal)
    if (present?.holder?.identity === identity) await store.write(present, freed(present), signal)
  } catch {
    // Unreachable again.
  }
}

/** Who is switching the cluster now; null for nobody, and for a lease that has expired by this machine's clock. */
export async function readHolder(
  { cluster, name }: Omit<LeaseParts, 'identity'>,
  signal: AbortSignal,
): Promise<LeaseHolder | null> {
  const holder = (await createLeaseStore(cluster, name).read(signal))?.holder ?? null
  if (holder === null || provablyGone(holder.identity) || secondsLeft(holder, Date.now()) === 0) return null
  return holder
}

/**
 * Does `work` while holding the lease, and releases it at the end, also after an error.
 *
 * @throws LabError `cluster_locked` naming the holder; `signal.reason`; the errors of `work`
 */
export async function holdLease<T>(
  { cluster, identity, name }: LeaseParts,
  context: CallContext,
  work: (held: Held) => Promise<T>,
): Promise<T> {
  const store = createLeaseStore(cluster, name)
  let lease: StoredLease | null = await acquire(store, identity, context)
  // By the wall clock: a laptop that slept has lost its lease, and a monotonic clock sleeps with it.
  let renewedAt = Date.now()
  const lost = new AbortController()
  const done = new AbortController()
  let renewing: Promise<void> | null = null

  async function renew(): Promise<void> {
    for (;;) {
      const began = Date.now()
      const mine = await store.write(lease, claim(lease, identity), done.signal)
      if (mine !== null) {
        lease = mine
        renewedAt = began
        return
      }
      // The lease is ours if only the answer was lost; it can also be deleted by hand. Claim the present version.
      lease = await store.read(done.signal)
      const holder = lease?.holder ?? null
      if (holder !== null && holder.identity !== identity) {
        lost.abort(lostTo(holder))
        return
      }
    }
  }

  function renewOnce(): Promise<void> {
    renewing ??= renew().finally(() => {
      renewing = null
    })
    return renewing
  }

  function report(message: string): void {
    context.emit({ type: 'progress', subject: null, message, done: 0, total: 1 })
  }

  async function keep(): Promise<void> {
    let isAway = false
    while (!done.signal.aborted && !lost.signal.aborted) {
      try {
        await delay(isAway ? LOOK_MS : RENEW_MS, undefined, { signal: done.signal })
        await renewOnce()
        if (isAway) report('The API server answers again.')
        isAway = false
      } catch (error) {
        // The work has ended, or the API server is away. Other requests report their own failures.
        const isFirst = !isAway && !done.signal.aborted
        isAway = true
        if (isFirst && error instanceof LabError) report(`${error.message} Waiting for it.`)
      }
    }
  }

  const kept = keep()
  try {
    return await work({
      lost: lost.signal,
      async confirm(asking) {
        if (Date.now() - renewedAt >= FRESH_MS) await patient(asking, renewOnce)
        lost.signal.throwIfAborted()
      },
    })
  } finally {
    done.abort()
    await kept
    if (lease !== null && !lost.signal.aborted) await release(store, lease, identity)
  }
}
