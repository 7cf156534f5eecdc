import { LabError } from '@expresslane/shared/base/errors'
import { parseTestbedId, propertiesOf, type TestbedId } from '@expresslane/shared/testbed/id'
import { kinds } from '@expresslane/shared/testbed/kinds'
import type { TestbedKind } from '@expresslane/shared/testbed/testbed'
import type { Contexts } from '../store/contexts.ts'
import { createChosenContexts, type Factories, type KnownContexts } from './chosen-contexts.ts'
import type { LabTestbed } from './perform/perform.ts'

/** The testbeds of this server, each created on first use. Several of one kind can exist at the same time. */
export interface Testbeds {
  /** An id per kind, with the context in use if there is one. */
  offered(): TestbedId[]
  /** The offered testbeds, and those created since. */
  ids(): TestbedId[]
  /** The testbeds that exist now. */
  made(): TestbedId[]
  /** Calls back whenever {@link Testbeds.ids} may have changed. @returns unsubscribes */
  subscribe(listener: () => void): () => void
  /** The id, completed with the context in use if it names none. */
  resolve(id: TestbedId): TestbedId
  /**
   * Returns a testbed, made on first use.
   *
   * @throws LabError `testbed_unavailable` for a kind that this server does not have, or when too many exist;
   * `context_not_chosen` for a context that nobody has chosen
   */
  get(id: TestbedId): Promise<LabTestbed>
  /** The contexts for this kind. @throws LabError `testbed_unavailable`, `kubeconfig_invalid` */
  contexts(kind: TestbedKind): KnownContexts
  /**
   * Switches to another context, and closes the previous testbed.
   *
   * @returns the id of the testbed in that context
   * @throws LabError `not_found`, `kubeconfig_invalid`
   */
  use(kind: TestbedKind, context: string): Promise<TestbedId>
  /** Closes a testbed; the next `get` creates a new one. */
  renew(id: TestbedId): Promise<void>
  close(): Promise<void>
}

/** The shared ones; more than one server needs. */
const MOST = 64

/**
 * @param chosen stores the chosen contexts for the next start
 * @param mostOwned how many testbeds that belong to somebody can exist at the same time
 */
export function createTestbeds(factories: Factories, chosen: Contexts, mostOwned: number): Testbeds {
  const contexts = createChosenContexts(factories, chosen)
  const made = new Map<TestbedId, Promise<LabTestbed>>()
  const listeners = new Set<() => void>()

  function notifyListeners(): void {
    for (const listener of listeners) listener()
  }

  function requireRoom(owned: boolean): void {
    const lasting = [...made.keys()].filter((id) => !propertiesOf(id).isFree)
    const alike = lasting.filter((id) => (parseTestbedId(id).owner !== null) === owned)
    const most = owned ? mostOwned : MOST
    if (alike.length < most) return
    const whose = owned ? 'testbeds of participants' : 'testbeds'
    const remedy = owned
      ? 'Try again later: a testbed closes when its owner has not used it for a while.'
      : 'Restart Expresslane to close them all.'
    throw new LabError('testbed_unavailable', `This server already has ${most} ${whose}.`, remedy)
  }

  function make(id: TestbedId): Promise<LabTestbed> {
    const { kind, context, owner } = parseTestbedId(id)
    const factory = contexts.factoryOf(kind)
    if (context !== null) contexts.requireChosen(kind, context)
    if (!kinds[kind].isFree) requireRoom(owner !== null)
    const testbed = Promise.resolve().then(() => factory.make(context, id))
    // A failed creation is tried again next time.
    testbed.catch(() => {
      if (made.get(id) === testbed) made.delete(id)
    })
    made.set(id, testbed)
    notifyListeners()
    return testbed
  }

  async function drop(id: TestbedId): Promise<void> {
    const testbed = made.get(id)
    if (testbed === undefined) return
    made.delete(id)
    notifyListeners()
    await (await testbed).close()
  }

  const offered = (): TestbedId[] => [...factories.keys()].map(contexts.inUse)

  return {
    offered,
    made: () => [...made.keys()],
    ids: () => [...new Set([...offered(), ...made.keys()])],
    subscribe(listener) {
      const subscribed = (): void => listener()
      listeners.add(subscribed)
      return () => listeners.delete(subscribed)
    },
    resolve: contexts.resolve,
    async get(id) {
      const resolved = contexts.resolve(id)
      return made.get(resolved) ?? make(resolved)
    },
    contexts: contexts.of,
    async use(kind, context) {
      const before = contexts.inUse(kind)
      contexts.choose(kind, context)
      await drop(before)
      const id = contexts.inUse(kind)
      // A testbed from an earlier choice can belong to a cluster that no longer exists.
      await drop(id)
      notifyListeners()
      return id
    },
    renew: drop,
    async close() {
      await Promise.allSettled([...made.keys()].map(drop))
    },
  }
}
