/** The turns of a room, from its events. Pure. */
import type { LoggedEvent, RunId } from '@expresslane/shared/run/events'

export interface Wait {
  /** In seconds, as it was shown when the wait began. */
  readonly expected: number
  readonly waited: number
}

/** The waits with a prediction, of runs that started. */
export function waitsOf(events: readonly LoggedEvent[]): Wait[] {
  const queued = new Map<RunId, { at: number; expected: number | null }>()
  const waits: Wait[] = []
  for (const { runId, at, event } of events) {
    if (event.type === 'run.queued' && !queued.has(runId)) queued.set(runId, { at, expected: event.expectedSeconds })
    const before = queued.get(runId)
    if (event.type !== 'run.started' || before === undefined || before.expected === null) continue
    waits.push({ expected: before.expected, waited: (at - before.at) / 1000 })
  }
  return waits
}

/** How many measuring runs began before another one had ended. @param measuring ids of steps */
export function overlapsOf(events: readonly LoggedEvent[], measuring: ReadonlySet<string>): number {
  const open = new Set<RunId>()
  let overlaps = 0
  for (const { runId, event } of events.toSorted((a, b) => a.seq - b.seq)) {
    if (event.type === 'run.started' && measuring.has(event.stepId)) {
      if (open.size > 0) overlaps += 1
      open.add(runId)
    }
    if (event.type === 'run.ended') open.delete(runId)
  }
  return overlaps
}
