import { LabError } from '@expresslane/shared/wire/errors'
import type { ClusterContext } from '@expresslane/shared/wire/protocol'
import { formatTestbedId, parseTestbedId, type TestbedId } from '@expresslane/shared/testbed/id'
import type { TestbedKind } from '@expresslane/shared/testbed/testbed'
import type { Contexts } from '../store/contexts.ts'
import type { Performer, PerformerFactory } from './perform/performer.ts'

export interface KnownContexts {
  readonly contexts: readonly ClusterContext[]
  /** The one in use; null while nobody has chosen: nothing is touched that nobody asked for. */
  readonly current: string | null
}

export type PerformerFactories = ReadonlyMap<TestbedKind, PerformerFactory>

/** The testbeds of this server, each made when it is first asked for. Several of a kind exist side by side. */
export interface Testbeds {
  /** One of each kind: in the context in use, or the kind alone while none is. */
  offered(): TestbedId[]
  /** Those offered, and those made since. */
  ids(): TestbedId[]
  /** Calls back whenever {@link Testbeds.ids} may have changed. @returns unsubscribes */
  subscribe(listener: () => void): () => void
  /** The id as it is, or with the context in use where it names none. */
  resolve(id: TestbedId): TestbedId
  /**
   * What carries out steps there.
   *
   * @throws LabError `testbed_unavailable` for a kind that this server does not have, or where too many exist;
   * `context_not_chosen` for a context that nobody has chosen
   */
  get(id: TestbedId): Promise<Performer>
  /** Where testbeds of this kind can be. @throws LabError `testbed_unavailable`, `kubeconfig_invalid` */
  contexts(kind: TestbedKind): KnownContexts
  /**
   * Puts another context in use, and closes the testbed that was in use before.
   *
   * @returns the id of the testbed there
   * @throws LabError `not_found`, `kubeconfig_invalid`
   */
  use(kind: TestbedKind, context: string): Promise<TestbedId>
  /** Closes a testbed; the next `get` makes a new one. */
  renew(id: TestbedId): Promise<void>
  close(): Promise<void>
}

/** More than a workshop has seats; each holds processes and namespaces. */
const MOST = 64

/** @param chosen the contexts that were chosen, kept for the next start */
export function createTestbeds(factories: PerformerFactories, chosen: Contexts): Testbeds {
  const made = new Map<TestbedId, Promise<Performer>>()
  /** Chosen since this process began: goes before what it was started with. */
  const picked = new Map<TestbedKind, string>()
  const listeners = new Set<() => void>()

  function factoryOf(kind: TestbedKind): PerformerFactory {
    const factory = factories.get(kind)
    if (factory !== undefined) return factory
    throw new LabError(
      'testbed_unavailable',
      `This server has no ${kind} testbed.`,
      `Choose one of: ${[...factories.keys()].join(', ')}.`,
    )
  }

  function contextsOf(kind: TestbedKind): KnownContexts {
    const factory = factoryOf(kind)
    const contexts = factory.contexts()
    // A context that is not listed any more was chosen for another kubeconfig, or was removed.
    const listed = (name: string | null): string | null => (contexts.some((one) => one.name === name) ? name : null)
    return { contexts, current: listed(picked.get(kind) ?? null) ?? factory.asked() ?? listed(chosen.latest(kind)) }
  }

  function inUse(kind: TestbedKind): TestbedId {
    return resolve(formatTestbedId({ kind, context: null, owner: null }))
  }

  function resolve(id: TestbedId): TestbedId {
    const { kind, context, owner } = parseTestbedId(id)
    if (context !== null || !factories.has(kind)) return id
    try {
      return formatTestbedId({ kind, context: contextsOf(kind).current, owner })
    } catch (error) {
      // The testbed that can't be made of this kubeconfig says so.
      if (error instanceof LabError && error.code === 'kubeconfig_invalid') return id
      throw error
    }
  }

  function requireChosen(kind: TestbedKind, context: string): void {
    const factory = factoryOf(kind)
    if (!factory.needsChoice) return
    if (contextsOf(kind).current === context || factory.asked() === context || chosen.all(kind).includes(context))
      return
    throw new LabError(
      'context_not_chosen',
      `Nobody has chosen the context "${context}" on this server yet.`,
      'Choose it under “Where they run” on the start page.',
    )
  }

  function tellChanged(): void {
    for (const listener of listeners) listener()
  }

  function make(id: TestbedId): Promise<Performer> {
    const { kind, context } = parseTestbedId(id)
    const factory = factoryOf(kind)
    if (context !== null) requireChosen(kind, context)
    if (made.size >= MOST) {
      throw new LabError(
        'testbed_unavailable',
        `This server holds ${MOST} testbeds already.`,
        'Restart Expresslane to begin with none.',
      )
    }
    const testbed = Promise.resolve().then(() => factory.make(context))
    // One that could not be made is tried again next time.
    testbed.catch(() => {
      if (made.get(id) === testbed) made.delete(id)
    })
    made.set(id, testbed)
    tellChanged()
    return testbed
  }

  async function drop(id: TestbedId): Promise<void> {
    const testbed = made.get(id)
    if (testbed === undefined) return
    made.delete(id)
    tellChanged()
    await (await testbed).close()
  }

  const offered = (): TestbedId[] => [...factories.keys()].map(inUse)

  return {
    offered,
    ids: () => [...new Set([...offered(), ...made.keys()])],
    subscribe(listener) {
      const subscribed = (): void => listener()
      listeners.add(subscribed)
      return () => listeners.delete(subscribed)
    },
    resolve,
    async get(id) {
      const resolved = resolve(id)
      return made.get(resolved) ?? make(resolved)
    },
    contexts: contextsOf,
    async use(kind, context) {
      const { contexts } = contextsOf(kind)
      if (!contexts.some(({ name }) => name === context)) {
        const names = contexts.map(({ name }) => name)
        const remedy = names.length === 0 ? 'It has none to choose from.' : `Choose one of: ${names.join(', ')}.`
        throw new LabError('not_found', `The ${kind} testbed has no context "${context}".`, remedy)
      }
      const before = inUse(kind)
      picked.set(kind, context)
      chosen.choose(kind, context)
      await drop(before)
      const id = inUse(kind)
      // One from an earlier choice may be about a cluster that is gone by now.
      await drop(id)
      tellChanged()
      return id
    },
    renew: drop,
    async close() {
      await Promise.allSettled([...made.keys()].map(drop))
    },
  }
}
