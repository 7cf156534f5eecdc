/** The checks of this machine, or of a machine that differs in a few things, for the tests of the preflight. */
import type { Check } from '@expresslane/shared/testbed/testbed'
import { expect, onTestFinished } from 'vitest'
import { note } from '../../../contract/contract-kit.ts'
import { netnsTestbed } from '../../../support/netns.ts'
import {
  createThisMachine,
  readTextHere,
  type ThisMachineOptions,
} from '../../../../src/testbeds/netns/this-machine/index.ts'
import { pair as pairOfPods } from '../../../../src/features/big-tcp/topology.ts'
import type { Topology } from '../../../../src/testbeds/topology.ts'
import type { Testbed } from '../../../../src/testbeds/testbed.ts'

/** Untyped matchers must not leak into the expectations' types. */
export function containing(text: string): unknown {
  return expect.stringContaining(text)
}

interface Options extends ThisMachineOptions {
  readonly topology?: Topology
}

/** Ends with the test. */
export function testbedFor({ topology = pairOfPods, ...options }: Options): Testbed {
  const testbed = netnsTestbed({ topology, machine: createThisMachine(options) })
  onTestFinished(() => testbed.close())
  return testbed
}

/** The checks of a machine with these options, by their ids and in their order. */
export async function checksOf(options: Options): Promise<Map<string, Check>> {
  const checks = new Map<string, Check>()
  for await (const check of testbedFor(options).preflight(note())) checks.set(check.id, check)
  return checks
}

/** The machine's files, with these in their place; null for one that is not there. */
export function filesWith(others: Record<string, string | null>): ThisMachineOptions {
  return {
    readText: (path) => {
      const other = others[path]
      return other === undefined ? readTextHere(path) : Promise.resolve(other)
    },
  }
}
