/** The context that each kind of testbed uses. */
import { LabError } from '@expresslane/shared/base/errors'
import type { ClusterContext } from '@expresslane/shared/wire/protocol'
import { formatTestbedId, parseTestbedId, type TestbedId } from '@expresslane/shared/testbed/id'
import type { TestbedKind } from '@expresslane/shared/testbed/testbed'
import type { Contexts } from '../store/contexts.ts'
import type { LabTestbedFactory } from './perform/perform.ts'

export interface KnownContexts {
  readonly contexts: readonly ClusterContext[]
  /** The context in use; null until somebody chooses one, so that no cluster is touched unasked. */
  readonly current: string | null
}

export type Factories = ReadonlyMap<TestbedKind, LabTestbedFactory>

/** @param chosen stores the chosen contexts for the next start */
export function createChosenContexts(factories: Factories, chosen: Contexts) {
  /** Contexts chosen since this process started. They override its configuration. */
  const picked = new Map<TestbedKind, string>()

  /** @throws LabError `testbed_unavailable` */
  function factoryOf(kind: TestbedKind): LabTestbedFactory {
    const factory = factories.get(kind)
    if (factory !== undefined) return factory
    throw new LabError(
      'testbed_unavailable',
      `This server has no ${kind} testbed.`,
      `Choose one of: ${[...factories.keys()].join(', ')}.`,
    )
  }

  /** @throws LabError `testbed_unavailable`, `kubeconfig_invalid` */
  function of(kind: TestbedKind): KnownContexts {
    const factory = factoryOf(kind)
    const contexts = factory.contexts()
    // A context that is no longer listed was removed, or comes from another kubeconfig.
    const listed = (name: string | null): string | null => (contexts.some((one) => one.name === name) ? name : null)
    return { contexts, current: listed(picked.get(kind) ?? null) ?? factory.asked() ?? listed(chosen.latest(kind)) }
  }

  /** The id, completed with the context in use if it names none. */
  function resolve(id: TestbedId): TestbedId {
    const { kind, context, owner } = parseTestbedId(id)
    if (context !== null || !factories.has(kind)) return id
    try {
      return formatTestbedId({ kind, context: of(kind).current, owner })
    } catch (error) {
      // The factory reports this error when the testbed is made.
      if (error instanceof LabError && error.code === 'kubeconfig_invalid') return id
      throw error
    }
  }

  return {
    factoryOf,
    of,
    resolve,
    inUse: (kind: TestbedKind): TestbedId => resolve(formatTestbedId({ kind, context: null, owner: null })),
    /** @throws LabError `context_not_chosen` */
    requireChosen(kind: TestbedKind, context: string): void {
      const factory = factoryOf(kind)
      if (!factory.needsChoice) return
      if (of(kind).current === context || factory.asked() === context || chosen.all(kind).includes(context)) return
      throw new LabError(
        'context_not_chosen',
        `The context "${context}" has not been chosen on this server yet.`,
        'Choose it under “Where they run” on the start page.',
      )
    },
    /** @throws LabError `not_found`, `kubeconfig_invalid` */
    choose(kind: TestbedKind, context: string): void {
      const names = of(kind).contexts.map(({ name }) => name)
      if (!names.includes(context)) {
        const remedy = names.length === 0 ? 'This testbed has no contexts.' : `Choose one of: ${names.join(', ')}.`
        throw new LabError('not_found', `The ${kind} testbed has no context "${context}".`, remedy)
      }
      picked.set(kind, context)
      chosen.choose(kind, context)
    },
  }
}
