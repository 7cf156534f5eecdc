import { LabError } from '@expresslane/shared/wire/errors'
import type { ClusterContext } from '@expresslane/shared/wire/protocol'
import type { TestbedKind } from '@expresslane/shared/testbed/testbed'
import type { Contexts } from '../store/contexts.ts'
import type { Testbed, TestbedFactory } from '../testbeds/testbed.ts'

export interface KnownContexts {
  readonly contexts: readonly ClusterContext[]
  /** The one that is used; null while nobody has chosen: nothing is touched that nobody asked for. */
  readonly current: string | null
}

export type TestbedFactories = ReadonlyMap<TestbedKind, TestbedFactory>

/** The testbeds of this server, each made when it is first asked for. */
export interface Testbeds {
  readonly kinds: readonly TestbedKind[]
  /** @throws LabError `testbed_unavailable` for a kind that this server has not */
  get(kind: TestbedKind): Promise<Testbed>
  /** Where the testbed can be, and is. @throws LabError `testbed_unavailable`, `kubeconfig_invalid` */
  contexts(kind: TestbedKind): KnownContexts
  /** The next `get` makes a testbed in that context. @throws LabError `not_found`, `kubeconfig_invalid` */
  use(kind: TestbedKind, context: string): Promise<void>
  /** Nothing is chosen any more: what was is to be removed. */
  release(kind: TestbedKind): Promise<void>
  /** Gives up a testbed that does not answer any more; the next `get` makes a new one. */
  renew(kind: TestbedKind): Promise<void>
  close(): Promise<void>
}

/** @param chosen the contexts that were chosen, kept for the next start */
export function createTestbeds(factories: TestbedFactories, chosen: Contexts): Testbeds {
  const made = new Map<TestbedKind, Promise<Testbed>>()
  /** Chosen since this process began: goes before what it was started with. */
  const picked = new Map<TestbedKind, string>()

  function factoryOf(kind: TestbedKind): TestbedFactory {
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
    const known = (name: string | null | undefined): boolean => contexts.some((one) => one.name === name)
    const kept = chosen.read(kind)
    // One that the kubeconfig no longer has was chosen for another kubeconfig.
    return { contexts, current: picked.get(kind) ?? factory.asked() ?? (known(kept) ? kept : null) }
  }

  function make(kind: TestbedKind): Promise<Testbed> {
    const factory = factoryOf(kind)
    const testbed = Promise.resolve().then(() => factory.make(contextsOf(kind).current))
    // One that could not be made is tried again next time.
    testbed.catch(() => made.delete(kind))
    made.set(kind, testbed)
    return testbed
  }

  async function drop(kind: TestbedKind): Promise<void> {
    const testbed = made.get(kind)
    if (testbed === undefined) return
    made.delete(kind)
    await (await testbed).close()
  }

  return {
    kinds: [...factories.keys()],
    get: async (kind) => made.get(kind) ?? make(kind),
    contexts: contextsOf,
    async use(kind, context) {
      const { contexts } = contextsOf(kind)
      if (!contexts.some(({ name }) => name === context)) {
        const names = contexts.map(({ name }) => name)
        const remedy = names.length === 0 ? 'It has none to choose from.' : `Choose one of: ${names.join(', ')}.`
        throw new LabError('not_found', `The ${kind} testbed has no context "${context}".`, remedy)
      }
      picked.set(kind, context)
      chosen.choose(kind, context)
      await drop(kind)
    },
    async release(kind) {
      picked.delete(kind)
      await drop(kind)
    },
    renew: drop,
    async close() {
      await Promise.allSettled([...made.keys()].map(drop))
    },
  }
}
