/** Gives memory back after busy times: V8 keeps garbage for as long as this process alone could use the memory. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Clock } from '../runs/clock.ts'

/** How long nothing happens before garbage is collected: the pause of some 100 ms then holds nobody up. */
export const IDLE_MS = 20_000

export interface IdleCollection {
  /** Something happened: a request, or an event of a run. */
  busy(): void
  /** Stops watching. */
  close(): void
}

export interface IdleParts {
  readonly clock: Clock
  /** True while no run is open: a pause would disturb the measurement of a run. */
  isFree(): boolean
  collect(): void
}

/** Collects garbage once after each busy time. It watches only while something happens. */
export function collectWhenIdle({ clock, isFree, collect }: IdleParts): IdleCollection {
  let last = clock.now()
  let stop: (() => void) | null = null

  function look(): void {
    const rest = last + IDLE_MS - clock.now()
    if (rest > 0 || !isFree()) {
      stop = clock.after(Math.max(rest, 1000), look)
      return
    }
    stop = null
    collect()
  }

  return {
    busy() {
      last = clock.now()
      stop ??= clock.after(IDLE_MS, look)
    },
    close() {
      stop?.()
    },
  }
}

/** V8's own collector; Node has no way to it but this flag. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') Reflect.apply(collect, undefined, [{ type: 'major', flavor: 'last-resort' }])
}
