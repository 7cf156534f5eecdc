/** How long threads could run and had no processor: the other work of the machine took it. */
import { readdirSync, readFileSync } from 'node:fs'

/** Milliseconds by thread. */
type Queued = ReadonlyMap<string, number>

/**
 * Milliseconds for which a thread could run and had no processor, from its start on.
 *
 * @param thread its folder in /proc
 */
export function queuedMs(thread: string): number {
  // Nanoseconds on a processor, nanoseconds waiting for one, times on one: the kernel's sched-stats.rst.
  const [, queued] = readFileSync(`/proc/${thread}/schedstat`, 'utf8').split(' ')
  return Number(queued) / 1e6
}

/** The waits of all threads of a process that has not ended. */
function threadsOf(pid: number): Queued {
  return new Map(
    readdirSync(`/proc/${pid}/task`).flatMap((id) => {
      const thread = `${pid}/task/${id}`
      try {
        return [[thread, queuedMs(thread)] as const]
      } catch {
        // The thread ended between the listing and the reading.
        return []
      }
    }),
  )
}

/** The wait between two readings. A thread that ended in between does not count; a new thread counts whole. */
export function addedBetween(before: Queued, after: Queued): number {
  return [...after].reduce((sum, [thread, queued]) => sum + queued - (before.get(thread) ?? 0), 0)
}

/**
 * A clock for judging a process on a busy machine. It stands still while a thread of the process, or this thread, waits
 * for a processor; it goes on when the process is busy, and when it waits for anything else.
 *
 * @returns milliseconds since the clock was made; each call counts from the one before, so call it often
 */
export function clockOf(pid: number): () => number {
  const look = (): Queued => new Map([...threadsOf(pid), ['thread-self', queuedMs('thread-self')]])
  let [before, at, counted] = [look(), performance.now(), 0]
  return () => {
    const [after, now] = [look(), performance.now()]
    counted += Math.max(0, now - at - addedBetween(before, after))
    before = after
    at = now
    return counted
  }
}
