/** Decides when the page redraws. */
import type { LoggedEvent, RunEvent } from '@expresslane/shared/run/events'

/** Hundreds of samples and lines can arrive per second; the page redraws at most this often. */
export const REDRAW_MS = 200
/** A sample arrives about a millisecond after the output that it was parsed from. */
const GATHER_MS = 16

/** Changes that can arrive often: live samples, and the output that a log shows. */
type Frequent = 'sample' | 'line'

function isFrequent({ type }: RunEvent): boolean {
  return type === 'sample.taken' || type === 'command.output' || type === 'command.started' || type === 'command.ended'
}

export interface RedrawDeps {
  now(): number
  schedule(callback: () => void, ms: number): () => void
}

export interface Redraw {
  now(): void
  /**
   * Redraws within {@link REDRAW_MS}, together with the changes that arrive at almost the same time. Samples have their
   * own interval: with the interval of the output they would be drawn late.
   */
  soon(what: Frequent): void
  /** Redraws for events: at once, unless all of them are frequent. */
  after(events: readonly LoggedEvent[]): void
}

/** @param draw shows the present state */
export function createRedraw({ now, schedule }: RedrawDeps, draw: () => void): Redraw {
  const drawn: Record<Frequent, number> = { sample: Number.NEGATIVE_INFINITY, line: Number.NEGATIVE_INFINITY }
  let due = Number.POSITIVE_INFINITY
  let unschedule: (() => void) | null = null

  function redraw(): void {
    unschedule?.()
    unschedule = null
    due = Number.POSITIVE_INFINITY
    draw()
  }

  function soon(what: Frequent): void {
    const at = Math.max(drawn[what] + REDRAW_MS, now() + GATHER_MS)
    if (at >= due) return
    unschedule?.()
    due = at
    unschedule = schedule(() => {
      drawn[what] = now()
      redraw()
    }, at - now())
  }

  return {
    now: redraw,
    soon,
    after(events) {
      if (!events.every(({ event }) => isFrequent(event))) redraw()
      else soon(events.some(({ event }) => event.type === 'sample.taken') ? 'sample' : 'line')
    },
  }
}
