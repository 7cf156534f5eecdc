/** Judges whether the other people in a room were served during an attack. Pure. */
import { quantile } from '../imports/health.ts'
import type { Size } from '../soak/size.ts'

/** The bounds of an attack's effect on the other people. */
const bounds = { p99Ms: 250, memoryMb: 50, descriptors: 64, startMs: 10_000, removalMs: 1000 }

/** The measurements that were taken during an attack. */
export interface Seen {
  /** Each wait for `/healthz`, in milliseconds. */
  readonly waits: readonly number[]
  readonly before: Size
  /** The most of each while the attack went on. */
  readonly most: Size
  /** From the instructor's click until the run started, in milliseconds; null if it did not start. */
  readonly startMs: number | null
  /** From the instructor's click until the person's key is refused and their page is closed; null if that did not happen. */
  readonly removalMs: number | null
  /** Answers of the server with a status of 500 or more. */
  readonly serverErrors: number
  /** Whether the server's process has ended. */
  readonly crashed: boolean
  /** Sentences about anything else that is not as it should be. */
  readonly faults: readonly string[]
}

export interface Verdict {
  readonly bound: string
  readonly measured: string
  readonly holds: boolean
}

/**
 * The waits of somebody who asks at regular intervals, also while an answer is outstanding. A client that waits for each
 * answer asks once during a long wait and thousands of times in the quiet time around it, which would hide the wait.
 *
 * @param everyMs the interval
 * @see https://hdrhistogram.github.io/HdrHistogram/ recordValueWithExpectedInterval does the same
 */
export function withMissedRequests(waits: readonly number[], everyMs: number): number[] {
  return waits.flatMap((wait) => {
    const missed = Math.max(0, Math.ceil(wait / everyMs) - 1)
    return [wait, ...Array.from({ length: missed }, (_, index) => wait - (index + 1) * everyMs)]
  })
}

function seconds(ms: number | null): string {
  return ms === null ? 'never' : `${(ms / 1000).toFixed(2)} s`
}

/** @param everyMs between two requests for `/healthz` */
export function judge(seen: Seen, everyMs: number): Verdict {
  const { before, most, startMs, removalMs, serverErrors, crashed, faults } = seen
  const p99 = quantile(withMissedRequests(seen.waits, everyMs), 0.99)
  const memory = most.rss - before.rss
  const descriptors = most.descriptors - before.descriptors
  const parts = [
    `p99 ${p99.toFixed(0)} ms`,
    `${before.rss.toFixed(0)} -> ${most.rss.toFixed(0)} MB`,
    `${before.descriptors} -> ${most.descriptors} descriptors`,
    `run after ${seconds(startMs)}`,
    `removal ${seconds(removalMs)}`,
    `${serverErrors} 5xx`,
    ...(crashed ? ['the server ended'] : []),
    ...faults,
  ]
  return {
    bound: `p99 of \`/healthz\` <= ${bounds.p99Ms} ms, <= +${bounds.memoryMb} MB, <= +${bounds.descriptors} descriptors, the instructor’s run within ${bounds.startMs / 1000} s, removal within ${bounds.removalMs / 1000} s, no 5xx`,
    measured: parts.join(', '),
    holds:
      seen.waits.length > 0 &&
      p99 <= bounds.p99Ms &&
      memory <= bounds.memoryMb &&
      descriptors <= bounds.descriptors &&
      startMs !== null &&
      startMs <= bounds.startMs &&
      removalMs !== null &&
      removalMs <= bounds.removalMs &&
      serverErrors === 0 &&
      !crashed &&
      faults.length === 0,
  }
}
