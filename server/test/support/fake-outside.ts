/** What stands outside of the server in tests: fake testbeds, and time. Imports no test runner, for processes too. */
import type { Outside } from '../../src/deps.ts'
import { createFakeTestbed, type FakeTestbed } from './fake-testbed.ts'

export interface FakeOptions extends Omit<Outside, 'factories'> {
  /** The testbeds to hand out, in order; fresh ones after. */
  readonly fakes?: FakeTestbed[]
}

/** @returns what a test puts outside, and the testbeds that it will have made */
export function fakeOutside({ fakes: prepared = [], clock, labs }: FakeOptions = {}): {
  outside: Outside
  fakes: FakeTestbed[]
} {
  const fakes: FakeTestbed[] = []
  const make = (): FakeTestbed => {
    const fake = prepared[fakes.length] ?? createFakeTestbed()
    fakes.push(fake)
    return fake
  }
  const outside: Outside = {
    factories: new Map([['netns', { contexts: () => [], asked: () => null, make }]]),
    ...(clock && { clock }),
    ...(labs && { labs }),
  }
  return { outside, fakes }
}
