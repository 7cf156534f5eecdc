import { LabError } from '@expresslane/shared/errors'
import type { TestbedKind } from '@expresslane/shared/testbed'
import type { Testbed } from '../testbeds/testbed.ts'

export type TestbedFactories = ReadonlyMap<TestbedKind, () => Testbed | Promise<Testbed>>

/** The testbeds of this server, each made when it is first asked for. */
export interface Testbeds {
  readonly kinds: readonly TestbedKind[]
  /** @throws LabError `testbed_unavailable` for a kind that this server has not */
  get(kind: TestbedKind): Promise<Testbed>
  /** Gives up a testbed that does not answer any more; the next `get` makes a new one. */
  renew(kind: TestbedKind): Promise<void>
  close(): Promise<void>
}

export function createTestbeds(factories: TestbedFactories): Testbeds {
  const made = new Map<TestbedKind, Promise<Testbed>>()

  function make(kind: TestbedKind): Promise<Testbed> {
    const factory = factories.get(kind)
    if (factory === undefined) {
      throw new LabError(
        'testbed_unavailable',
        `This server has no ${kind} testbed.`,
        `Choose one of: ${[...factories.keys()].join(', ')}.`,
      )
    }
    const testbed = Promise.resolve().then(factory)
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
    renew: drop,
    async close() {
      await Promise.allSettled([...made.keys()].map(drop))
    },
  }
}
