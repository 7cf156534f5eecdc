/** What stands outside of the server in tests: fake testbeds, and time. Imports no test runner, for processes too. */
import { LabError } from '@expresslane/shared/wire/errors'
import type { Outside } from '../../../src/deps.ts'
import { createFakeTestbed, type FakeTestbed } from './fake-testbed.ts'

export interface FakeOptions extends Omit<Outside, 'factories'> {
  /** The testbeds to hand out, in order; fresh ones after. */
  readonly fakes?: FakeTestbed[]
  /** Where the testbed can be; nowhere else than here by default. */
  readonly contexts?: string[]
  /** The context that this process was started with. */
  readonly asked?: string
}

/** @returns what a test puts outside, and the testbeds that it will have made */
export function fakeOutside({
  fakes: prepared = [],
  contexts = [],
  asked,
  clock,
  labs,
  guests,
  process: performer,
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
          contexts: () => contexts.map((name) => ({ name, cluster: name, namespace: null, current: false })),
          needsChoice: contexts.length > 0,
          asked: () => asked ?? null,
          make,
        },
      ],
    ]),
    ...(clock && { clock }),
    ...(labs && { labs }),
    ...(guests && { guests }),
    ...(performer !== undefined && { process: performer }),
  }
  return { outside, fakes }
}
