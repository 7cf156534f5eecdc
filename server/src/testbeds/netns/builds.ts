/** Builds the namespaces of a testbed, once in each kernel that is chosen, and notices when they have ended. */
import type { Placement } from '@expresslane/shared/testbed/placement'
import type { Values } from '@expresslane/shared/testbed/primitive'
import type { Machine, NamespaceHolder } from '../machine/machine.ts'
import type { CallContext } from '../testbed.ts'
import type { Topology } from '../topology.ts'
import type { Background } from './commands/background.ts'
import { readKernel } from './facts.ts'
import * as network from './network/network.ts'
import { untouched } from './network/values.ts'

export interface Pods {
  readonly placement: Placement
  /** Processes that run in them besides commands. */
  readonly background: Background[]
  /** Aborted when the pods are removed, which ends everything that runs in them. */
  readonly removed: AbortController
}

/** The state of one holder's namespaces. */
export interface Built {
  readonly holder: NamespaceHolder
  /** The release of the kernel that has the namespaces. */
  readonly release: string
  values: Values
  pods: Pods | null
  /** True if namespaces of pods can exist, including namespaces that a failed deploy left. */
  mayHavePods: boolean
}

export async function stopBackground(pods: Pods | null): Promise<void> {
  await Promise.all((pods?.background ?? []).map((one) => one.stop()))
}

export interface Builds {
  /** The id of the present build. Another one once its namespaces have ended. */
  incarnation(): string
  /** The release of the kernel that the machine has now; null for the default. */
  kernel(): string | null
  /** The namespaces in the present kernel. Builds them where there are none, or they have ended. */
  present(context: CallContext): Promise<Built>
  /**
   * The namespaces in another kernel, with the values of the present namespaces, which stay for the next time. The
   * machines of two kernels have nothing in common: the caller removes the pods first.
   *
   * @param release null for the default
   */
  inKernel(release: string | null, present: Built, context: CallContext): Promise<Built>
  /**
   * The namespaces of a new holder in place of the present namespaces, with their values and their incarnation: these have
   * not been set yet. The caller removes the pods first.
   */
  renew(present: Built, context: CallContext): Promise<Built>
  /** Ends all namespaces, and the background processes in them. */
  close(): Promise<void>
}

interface Parts {
  readonly machine: Machine
  readonly settable: Topology['settable']
  siteOf(built: Built, context: CallContext): network.Site
  /** Called when the namespaces have ended by themselves. */
  onEnded(): void
}

/** Nothing is built until it is first needed. */
export function createBuilds({ machine, settable, siteOf, onEnded }: Parts): Builds {
  const newIncarnation = (): string =>
    `${machine.kind}-${Buffer.from(crypto.getRandomValues(new Uint8Array(6))).toString('hex')}`
  let incarnation = newIncarnation()
  let built: Built | null = null
  let kernel: string | null = null
  /** By kernel: the namespaces in machines with another kernel than the present kernel. None has pods. */
  const aside = new Map<string | null, Built>()

  function choose(release: string | null): void {
    machine.kernels?.choose(release)
    kernel = release
  }

  /** The namespaces have ended, and all settings with them. The next use builds new namespaces, in the default kernel. */
  function forget(ended: Built): void {
    if (built !== ended) {
      for (const [release, one] of aside) if (one === ended) aside.delete(release)
      return
    }
    built = null
    for (const { holder } of aside.values()) void holder.close()
    aside.clear()
    choose(null)
    incarnation = newIncarnation()
    onEnded()
  }

  async function buildIn(holder: NamespaceHolder, values: Values, context: CallContext): Promise<Built> {
    const release = await readKernel(machine)
    const fresh: Built = { holder, release, values, pods: null, mayHavePods: false }
    await network.buildNodesAndWire(siteOf(fresh, context))
    return fresh
  }

  async function build(values: Values, context: CallContext): Promise<Built> {
    const say = (message: string): void =>
      context.emit({ type: 'progress', subject: machine.name, message, done: 0, total: 1 })
    const holder = await machine.hold(context.signal, say)
    let fresh: Built
    try {
      fresh = await buildIn(holder, values, context)
    } catch (error) {
      await holder.close()
      throw error
    }
    built = fresh
    if (holder.gone.aborted) forget(fresh)
    else holder.gone.addEventListener('abort', () => forget(fresh), { once: true })
    return fresh
  }

  /** Null for namespaces that have ended. */
  async function living(one: Built | null, { signal }: CallContext): Promise<Built | null> {
    if (one === null) return null
    try {
      await one.holder.check(signal)
      return one
    } catch {
      signal.throwIfAborted()
      forget(one)
      return null
    }
  }

  return {
    incarnation: () => incarnation,
    kernel: () => kernel,
    present: async (context) => (await living(built, context)) ?? (await build(untouched({ settable }), context)),
    async inKernel(release, present, context) {
      const from = kernel
      aside.set(from, present)
      built = null
      choose(release)
      try {
        const next = (await living(aside.get(release) ?? null, context)) ?? (await build(present.values, context))
        aside.delete(release)
        next.values = { ...present.values, kernels: release }
        built = next
        return next
      } catch (error) {
        aside.delete(from)
        built = present
        choose(from)
        throw error
      }
    },
    async renew({ holder, values }, context) {
      // Not by themselves: their end is expected.
      built = null
      await holder.close()
      try {
        return await build(values, context)
      } catch (error) {
        incarnation = newIncarnation()
        onEnded()
        throw error
      }
    },
    async close() {
      // The namespaces end with their holder, and the netserver with them.
      const all = [built, ...aside.values()]
      await Promise.all([stopBackground(built?.pods ?? null), ...all.map((one) => one?.holder.close())])
      built = null
    },
  }
}
