/** The one place that names concrete testbeds. A new one is a line here. */
import type { TestbedKind } from '@expresslane/shared/testbed'
import { createNetnsTestbed } from './netns/index.ts'
import type { Testbed } from './testbed.ts'

export const testbedFactories: ReadonlyMap<TestbedKind, () => Testbed> = new Map([
  ['netns', () => createNetnsTestbed()],
])
