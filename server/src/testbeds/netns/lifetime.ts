/** The lifetime of a testbed: one caller at a time uses it, others hear of its changes, and all end when it closes. */
import { createLock } from '../lock.ts'
import type { Machine } from '../machine/machine.ts'
import type { CallContext } from '../testbed.ts'
import type { Topology } from '../topology.ts'
import { createBuilds, type Built } from './builds.ts'
import type { Console } from './commands/console.ts'
import { closedError } from './commands/places.ts'
import type { Site } from './network/network.ts'

type Work<T> = (present: Built, site: Site) => Promise<T>

export type Lifetime = ReturnType<typeof createLifetime>

/** Yields at first, and after changes: once for all changes since the last tick was asked for. */
async function* ticks(listeners: Set<() => void>, signal: AbortSignal): AsyncGenerator<void, void, void> {
  let next = Promise.withResolvers<void>()
  const wake = (): void => next.resolve()
  // Listens from now on, also before the next tick is asked for.
  listeners.add(wake)
  signal.addEventListener('abort', wake, { once: true })
  try {
    for (;;) {
      signal.throwIfAborted()
      yield
      await next.promise
      next = Promise.withResolvers()
    }
  } finally {
    listeners.delete(wake)
    signal.removeEventListener('abort', wake)
  }
}

export interface LifetimeParts {
  readonly machine: Machine
  readonly topology: Topology
  readonly console: Console
}

/** Nothing is built until it is first needed. */
export function createLifetime({ machine, topology, console }: LifetimeParts) {
  const lock = createLock()
  const closing = new AbortController()
  const listeners = new Set<() => void>()
  const report = (): void => {
    for (const listener of listeners) listener()
  }
  const builds = createBuilds({ machine, settable: topology.settable, siteOf, onEnded: report })

  /** The caller's context, which also ends with the testbed, or when another of the signals is aborted. */
  function bound(context: CallContext, ...others: AbortSignal[]): CallContext {
    return { emit: context.emit, signal: AbortSignal.any([context.signal, closing.signal, ...others]) }
  }

  function siteOf({ holder, release }: Built, context: CallContext): Site {
    return { console, entrance: holder, release, topology, context: bound(context, holder.gone) }
  }

  /** Runs `work` while nothing else uses the testbed. */
  function alone<T>(context: CallContext, work: (context: CallContext) => Promise<T>): Promise<T> {
    const inner = bound(context)
    return lock(inner.signal, () => work(inner))
  }

  /** Runs `work` alone on the built testbed, and builds it first if necessary. */
  function use<T>(context: CallContext, work: Work<T>): Promise<T> {
    return alone(context, async (inner) => {
      const present = await builds.present(inner)
      return work(present, siteOf(present, inner))
    })
  }

  return {
    builds,
    report,
    bound,
    siteOf,
    alone,
    use,
    /** As {@link use}, and reports that the testbed was changed. */
    async change<T>(context: CallContext, work: Work<T>): Promise<T> {
      try {
        return await use(context, work)
      } finally {
        report()
      }
    },
    changes: (context: CallContext) => ticks(listeners, bound(context).signal),
    async close() {
      closing.abort(closedError())
      await console.idle()
      // The lock's holder, if any, was aborted and drains now.
      await lock(new AbortController().signal, builds.close)
      await machine.close()
    },
  }
}
