/**
 * Stops the machine while nobody waits for it. Its idle time passes at once, so each of its timers is due at once: an idle
 * machine that is not stopped takes a whole CPU of the host.
 */
import { later } from '../../time.ts'

/** How a machine is stopped while nobody waits for it. Both take effect in their order. */
export interface Control {
  stop(): void
  go(): void
}

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
  /** Called when nobody has waited for the machine for so long. @defaultValue nothing is called */
  readonly long?: { readonly ms: number; call(): void }
}

/**
 * The machine runs at first, until the first caller of `busy` has ended.
 */
export function createPause(control: Control, { idleMs = 200, long }: PauseOptions = {}): Pause {
  let users = 0
  let stopped = false
  let closed = false
  let since: number | null = null
  let timers: (() => void)[] = []

  function stop(): void {
    stopped = true
    control.stop()
  }

  function clear(): void {
    for (const takeBack of timers) takeBack()
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
        timers = [later(idleMs, stop), ...(long === undefined ? [] : [later(long.ms, long.call)])]
      }
    },
    idleSince: () => since,
    close() {
      closed = true
      clear()
    },
  }
}
