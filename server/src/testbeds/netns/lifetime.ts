/** The lifetime of a testbed: one caller at a time uses it, others hear of its changes, and all end when it closes. */
import { EventEmitter, on } from 'node:events'
import { createLock } from '../lock.ts'
import type { Machine } from '../machine/machine.ts'
import type { CallContext } from '../testbed.ts'
import type { Topology } from '../topology.ts'
import { createBuilds, type Builds, type Built } from './builds.ts'
import type { Console } from './commands/console.ts'
import { closedError } from './commands/places.ts'
import type { Site } from './network/network.ts'

type Work<T> = (present: Built, site: Site) => Promise<T>

export interface Lifetime {
  readonly builds: Builds
  /** The caller's context, which also ends with the testbed, or when another of the signals is aborted. */
  bound(context: CallContext, ...others: AbortSignal[]): CallContext
  siteOf(built: Built, context: CallContext): Site
  /** Runs `work` while nothing else uses the testbed. */
  alone<T>(context: CallContext, work: (context: CallContext) => Promise<T>): Promise<T>
  /** Runs `work` alone on the built testbed, and builds it first if necessary. */
  use<T>(context: CallContext, work: Work<T>): Promise<T>
  /** The same for work that changes the testbed, which is reported. */
  change<T>(context: CallContext, work: Work<T>): Promise<T>
  /** Yields at first, whenever this testbed was changed, and when its namespaces have ended. */
  changes(context: CallContext): AsyncGenerator<void, void, void>
  close(): Promise<void>
}

async function* ticks(changed: EventEmitter, signal: AbortSignal): AsyncGenerator<void, void, void> {
  // Listens from now on, also before the next tick is asked for.
  const later = on(changed, 'change', { signal })
  try {
    yield
    for await (const _ of later) yield
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    await later.return?.()
  }
}

interface Parts {
  readonly machine: Machine
  readonly topology: Topology
  readonly console: Console
}

export function createLifetime({ machine, topology, console }: Parts): Lifetime {
  const lock = createLock()
  const closing = new AbortController()
  const changed = new EventEmitter()
  const report = (): void => void changed.emit('change')
  const builds = createBuilds({ machine, settable: topology.settable, siteOf, onEnded: report })

  function bound(context: CallContext, ...others: AbortSignal[]): CallContext {
    return { emit: context.emit, signal: AbortSignal.any([context.signal, closing.signal, ...others]) }
  }

  function siteOf({ holder }: Built, context: CallContext): Site {
    return { console, entrance: holder, topology, context: bound(context, holder.gone) }
  }

  function alone<T>(context: CallContext, work: (context: CallContext) => Promise<T>): Promise<T> {
    const inner = bound(context)
    return lock(inner.signal, () => work(inner))
  }

  function use<T>(context: CallContext, work: Work<T>): Promise<T> {
    return alone(context, async (inner) => {
      const present = await builds.present(inner)
      return work(present, siteOf(present, inner))
    })
  }

  return {
    builds,
    bound,
    siteOf,
    alone,
    use,
    async change(context, work) {
      try {
        return await use(context, work)
      } finally {
        report()
      }
    },
    changes: (context) => ticks(changed, bound(context).signal),
    async close() {
      closing.abort(closedError())
      await console.idle()
      // The lock's holder, if there is one, was aborted and drains now.
      await lock(new AbortController().signal, builds.close)
      await machine.close()
    },
  }
}
