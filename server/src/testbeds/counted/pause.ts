/**
 * Stops the machine while nobody waits for it. Its idle time passes at once, so each of its timers is due at once: an idle
 * machine that is not stopped takes a whole CPU of the host.
 */
import type { Control } from './control.ts'

export interface Pause {
  /** Lets the machine run until the returned function is called; until then other callers can do the same. */
  busy(): () => void
  /** Since when nobody waits for it, by `performance.now()`; null while somebody does. */
  idleSince(): number | null
  /** Ends its timers, and makes no new timers. */
  close(): void
}

export interface PauseOptions {
  /** Between the commands of one step the machine is not stopped. @defaultValue 200 */
  readonly idleMs?: number
  /** After how long {@link PauseOptions.onLong} is called. */
  readonly longMs: number
  /** Nobody has waited for the machine for long. */
  onLong(): void
}

/**
 * The machine runs at first, until the first caller of `busy` has ended.
 */
export function createPause(control: Control, { idleMs = 200, longMs, onLong }: PauseOptions): Pause {
  let users = 0
  let stopped = false
  let closed = false
  let since: number | null = null
  let timers: NodeJS.Timeout[] = []

  function stop(): void {
    stopped = true
    control.stop()
  }

  function clear(): void {
    for (const timer of timers) clearTimeout(timer)
    timers = []
  }

  return {
    busy() {
      users++
      since = null
      clear()
      if (stopped) control.go()
      stopped = false
      let released = false
      return () => {
        if (released) return
        released = true
        users--
        if (users > 0) return
        since = performance.now()
        if (closed) return
        timers = [setTimeout(stop, idleMs).unref(), setTimeout(onLong, longMs).unref()]
      }
    },
    idleSince: () => since,
    close() {
      closed = true
      clear()
    },
  }
}
