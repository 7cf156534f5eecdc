/** The wait for the pods, with the scheduler's and the kubelet's reasons as they change, and for the first packets. */
import { setTimeout as delay } from 'node:timers/promises'
import { LabError } from '@expresslane/shared/base/errors'
import { CLIENT, podOf, SERVER } from '@expresslane/shared/testbed/placement'
import { familyName, type Family } from '@expresslane/shared/base/units'
import { z } from 'zod'
import type { CallContext } from '../../testbed.ts'
import type { Console } from '../exec/console.ts'
import type { Followed } from '../api/followed.ts'
import { patient } from '../api/patience.ts'
import {
  podIn,
  podProgress,
  workloadOf,
  type PodProgress,
  type PlacedWorkload,
  type StuckCause,
  type WorkloadPod,
} from './pods.ts'
import { lateError, noPackets, stuckError, type WorkloadNames } from './workload-errors.ts'

/** Deadline for all pods to be ready. */
const READY_MS = 120_000
/** After so long without news from the watch, the API server is asked whether it answers. */
const QUIET_MS = 5_000
/** How long to wait for a temporary taint: as long as agents can take to be ready again. */
const PASSING_MS = 60_000
/** After a slower response, pods can have changed unnoticed. */
const BLIND_MS = 2_000

const warning = z.object({
  reason: z.string().optional(),
  message: z.string().optional(),
  involvedObject: z.object({ uid: z.string().optional() }),
})

/** The state of the pods while they start. */
export interface Seen {
  readonly pods: Followed<WorkloadPod>
  /** Warning events of the namespace. */
  readonly events: Followed<unknown>
  /** Asks the API server anything, through {@link patient}. */
  ask(): Promise<unknown>
  /** A node that accepts no pods for now, and the taint that causes it; null if there is none. */
  passing(): Promise<{ readonly node: string; readonly taint: string } | null>
}

/** Reports each reason once, and tracks how long a pod has looked stuck. */
function createJudge({ emit }: CallContext, total: number) {
  const reported = new Map<string, string>()
  /** By pod: when it first looked stuck. */
  const since = new Map<string, number>()
  return {
    /** Starts the clocks of stuck pods again, after a time in which nothing could be seen. */
    forgive: (): void => since.clear(),
    reasons: (): string[] => [...reported].map(([pod, why]) => `${pod}: ${why}`),
    report(pod: string, why: string, ready: number): void {
      if (reported.get(pod) === why) return
      reported.set(pod, why)
      emit({ type: 'progress', subject: pod, message: why, done: ready, total })
    },
    /** @returns milliseconds that it can still stay stuck; 0 or less when that time is over */
    left(pod: string, progress: PodProgress, now: number): number {
      if (progress.is !== 'stuck') {
        since.delete(pod)
        return Infinity
      }
      const from = since.get(pod) ?? now
      since.set(pod, from)
      return from + progress.afterMs - now
    },
  }
}

function reasonOf(progress: PodProgress): string {
  switch (progress.is) {
    case 'ready':
      return 'ready'
    case 'ending':
      return 'is being removed'
    case 'waiting':
    case 'stuck':
      return progress.why
  }
}

/** Warnings that do not explain why a pod waits, or repeat its condition. */
const idle = new Set(['MissingClusterDNS', 'DNSConfigForming', 'FailedScheduling'])

function warningOf(uid: string, events: readonly unknown[]): string | null {
  const of = events.flatMap((event) => {
    const one = warning.safeParse(event)
    return one.success && one.data.involvedObject.uid === uid && !idle.has(one.data.reason ?? '') ? [one.data] : []
  })
  const last = of.at(-1)
  return last === undefined ? null : `${last.reason ?? 'Warning'}: ${last.message ?? ''}`
}

/** The goal of the wait. */
export interface Awaited<T> {
  /** The uids of its pods. */
  readonly uids: ReadonlySet<string>
  /** The result, called when all pods exist; null while they are not ready. */
  whole(pods: readonly WorkloadPod[]): T | null
  stuck(pod: string, cause: StuckCause, why: string): LabError
  late(reasons: readonly string[], seconds: number): LabError
  /** The deadline. @defaultValue READY_MS */
  readonly mostMs?: number
  /** Whether a pod that looks stuck is given up at once. @defaultValue false */
  readonly atOnce?: boolean
}

/** @param uids of the workload's pods */
export function thePair(uids: ReadonlySet<string>, names: WorkloadNames): Awaited<PlacedWorkload> {
  return {
    uids,
    whole: workloadOf,
    stuck: (pod, cause, why) => stuckError(pod, cause, why, names),
    late: (reasons, seconds) => lateError(reasons, seconds, names),
  }
}

/** @throws LabError `workload_not_ready` with the last reason verbatim, `cluster_unreachable`; `signal.reason` */
export async function waitUntilReady<T>(
  { pods, events, ask, passing }: Seen,
  { uids, whole, stuck, late, mostMs = READY_MS, atOnce = false }: Awaited<T>,
  context: CallContext,
): Promise<T> {
  const began = performance.now()
  const { left, report, reasons, forgive } = createJudge(context, uids.size)
  let askedAt = began
  for (;;) {
    const asking = performance.now()
    if (asking - Math.max(pods.at(), askedAt) >= QUIET_MS) {
      await ask()
      askedAt = performance.now()
      if (askedAt - asking >= BLIND_MS) forgive()
    }
    const present = (await pods.latest()).filter(({ metadata }) => uids.has(metadata.uid))
    const found = present.length === uids.size ? whole(present) : null
    if (found !== null) return found
    const now = performance.now()
    const ready = present.filter((pod) => podProgress(pod).is === 'ready').length
    let next = Math.min(Math.max(pods.at(), askedAt) + QUIET_MS, began + mostMs) - now
    for (const pod of present) {
      const { name, uid } = pod.metadata
      const progress = podProgress(pod)
      const said = progress.is === 'waiting' ? warningOf(uid, await events.latest()) : null
      report(name, said ?? reasonOf(progress), ready)
      const stays = left(name, progress, now)
      next = Math.min(next, stays)
      if (progress.is !== 'stuck' || (stays > 0 && !atOnce)) continue
      const kept = progress.cause === 'schedule' && now - began < PASSING_MS ? await passing() : null
      if (kept === null) throw stuck(name, progress.cause, progress.why)
      report(kept.node, `accepts no pods yet: ${kept.taint}`, ready)
      forgive()
    }
    if (now - began >= mostMs) throw late(reasons(), mostMs / 1000)
    next = Math.max(1, Math.ceil(next))
    await Promise.race([pods.change(next, context.signal), events.change(next, context.signal)])
  }
}

/** netperf is stopped after this; with a datapath that drops it would wait two minutes. */
const PACKET_SECONDS = 3
/** Attempts, because an agent can still be setting up the new pods' datapath. */
const ATTEMPTS = 5
const BETWEEN_MS = 300

/** A transaction of netperf: the control connection and the data connection both pass. */
function oneTransaction(address: string): string[] {
  return ['timeout', String(PACKET_SECONDS), 'netperf', '-P', '0', '-H', address, '-t', 'TCP_RR', '-l', '-1']
}

/**
 * Sends a packet from client to server: agents and pods can be ready while the datapath drops packets.
 *
 * @throws LabError `netserver_unreachable` naming the family and both nodes; the errors of `exec`; `signal.reason`
 */
export async function movePacket(
  console: Console,
  workload: PlacedWorkload,
  family: Family,
  context: CallContext,
): Promise<void> {
  const address = podOf(workload.placement, SERVER)?.addresses[family] ?? null
  if (address === null) return
  for (let attempt = 1; ; attempt += 1) {
    try {
      await patient(context, () => console.run({ at: podIn(workload, CLIENT), argv: oneTransaction(address) }, context))
      return
    } catch (error) {
      context.signal.throwIfAborted()
      const passing = error instanceof LabError && ['tool_failed', 'exec_dropped'].includes(error.code)
      if (!passing) throw error
      if (attempt === ATTEMPTS) throw noPackets(family, workload, error.detail ?? error.message)
      const message = `The first packets over ${familyName[family]} do not pass yet.`
      context.emit({ type: 'progress', subject: null, message, done: attempt, total: ATTEMPTS })
      await delay(BETWEEN_MS, undefined, { signal: context.signal }).catch(() => context.signal.throwIfAborted())
    }
  }
}
