/**
 * The outside of the server in tests: fake testbeds and a clock. Processes use it too, so it imports no test runner.
 */
import { LabError } from '@expresslane/shared/base/errors'
import type { Outside } from '../../../src/deps.ts'
import { createFakeTestbed, type FakeTestbed } from './fake-testbed.ts'

export interface FakeOptions extends Omit<Outside, 'factories'> {
  /** The testbeds to return, in order; then new ones. */
  readonly fakes?: FakeTestbed[]
  /** The contexts of the testbed. @defaultValue this machine only */
  readonly contexts?: string[]
  /** Makes the counted machines. @defaultValue there are none */
  readonly counted?: () => FakeTestbed
  /** Connects to a host over ssh. @defaultValue there is none */
  readonly ssh?: () => FakeTestbed
  /** The context of a cluster, which this process was started with. @defaultValue no cluster */
  readonly cluster?: string
  /** The context that this process was started with. */
  readonly asked?: string
}

/** @returns the outside for the server, and the list of testbeds that it creates */
export function fakeOutside({
  fakes: prepared = [],
  contexts = [],
  asked,
  cluster,
  counted,
  ssh,
  clock,
  labs,
  guests,
  process: owner,
}: FakeOptions = {}): {
  outside: Outside
  fakes: FakeTestbed[]
} {
  const fakes: FakeTestbed[] = []
  const make = (context: string | null): FakeTestbed => {
    if (contexts.length > 0 && context === null) throw new LabError('context_not_chosen', 'None.', 'Choose.')
    const fake = prepared[fakes.length] ?? createFakeTestbed()
    fakes.push(fake)
    return fake
  }
  const outside: Outside = {
    factories: new Map([
      [
        'netns',
        {
          contexts: () =>
            contexts.map((name) => ({ name, cluster: name, namespace: null, current: false, insecure: false })),
          needsChoice: contexts.length > 0,
          asked: () => asked ?? null,
          make,
        },
      ],
      ...(counted === undefined
        ? []
        : [['counted', { contexts: () => [], needsChoice: false, asked: () => null, make: counted }] as const]),
      ...(ssh === undefined
        ? []
        : [['ssh', { contexts: () => [], needsChoice: false, asked: () => null, make: ssh }] as const]),
      ...(cluster === undefined
        ? []
        : [
            [
              'kubernetes',
              {
                contexts: () => [{ name: cluster, cluster, namespace: null, current: true, insecure: false }],
                needsChoice: true,
                asked: () => cluster,
                make,
              },
            ] as const,
          ]),
    ]),
    ...(clock && { clock }),
    ...(labs && { labs }),
    ...(guests && { guests }),
    ...(owner !== undefined && { process: owner }),
  }
  return { outside, fakes }
}
