/** On which CPUs the pods' commands really run, as the kernel reports it. */
import { whyLacking } from '@expresslane/shared/features/capabilities'
import { type CpuPlacement, CLIENT, SERVER, type Role } from '@expresslane/shared/testbed/placement'
import { describe, expect, onTestFinished, test } from 'vitest'
import { note, run } from '../../contract/contract-kit.ts'
import { cpusFor } from '../../../src/testbeds/netns/commands/cpus.ts'
import { ownCpus } from '../../../src/testbeds/machine/rights.ts'
import { parseCpuList } from '../../../src/tools/proc.ts'
import { netnsTestbed } from '../../support/netns.ts'
import { createThisMachine, type ThisMachineOptions } from '../../../src/testbeds/netns/this-machine/index.ts'
import type { Testbed } from '../../../src/testbeds/testbed.ts'
import { pair } from '../../support/runs/pair.ts'
import { bigTcp } from '../../support/runs/settings.ts'

function testbedFor(options: ThisMachineOptions = {}): Testbed {
  const testbed = netnsTestbed({ machine: createThisMachine(options) })
  onTestFinished(() => testbed.close())
  return testbed
}

/** The CPUs that a command in a pod can use. */
async function cpusIn(testbed: Testbed, role: Role): Promise<number[]> {
  const { stdout } = await run(testbed, role, ['cat', '/proc/self/status'])
  const list = stdout.find((line) => line.startsWith('Cpus_allowed_list:')) ?? ''
  return parseCpuList(list.replace('Cpus_allowed_list:', ''))
}

async function placed(testbed: Testbed, cpus: CpuPlacement | null) {
  await testbed.set(bigTcp({ cpus }), note())
  const placement = await testbed.deploy(pair, 'other-node', note())
  return { placement, client: await cpusIn(testbed, CLIENT), server: await cpusIn(testbed, SERVER) }
}

const all = ownCpus()
const [last = -1, before = -1] = all.toReversed()

describe.skipIf(all.length < 2)('with two CPUs or more', () => {
  test('the pods run on one CPU by default, on one each, or where the scheduler puts them', async () => {
    const testbed = testbedFor()
    expect(await placed(testbed, null)).toMatchObject({
      placement: { cpus: { client: last, server: last } },
      client: [last],
      server: [last],
    })
    expect(await placed(testbed, 'two-cpus')).toMatchObject({
      placement: { cpus: { client: before, server: last } },
      client: [before],
      server: [last],
    })
    expect(await placed(testbed, 'scheduler')).toMatchObject({ placement: { cpus: {} }, client: all, server: all })
    expect((await placed(testbed, 'one-cpu')).placement.cpus).toEqual({ client: last, server: last })
  })

  test('running pods keep their CPUs until they are created again', async () => {
    const testbed = testbedFor()
    await testbed.deploy(pair, 'other-node', note())
    const state = await testbed.set(bigTcp({ cpus: 'scheduler' }), note())
    expect(state).toMatchObject({ settings: bigTcp({ cpus: 'scheduler' }), placement: { cpus: { client: last } } })
    expect(await cpusIn(testbed, CLIENT)).toEqual([last])
  })

  test('the command is shown as a person types it', async () => {
    const testbed = testbedFor()
    await testbed.deploy(pair, 'other-node', note())
    const context = note()
    await run(testbed, CLIENT, ['true'], context)
    const typed = context.events.flatMap((event) => (event.type === 'command.started' ? [event.typed] : []))
    expect(typed).toEqual([`ip netns exec pod1 taskset -c ${last} true`])
  })
})

describe('with one CPU', () => {
  test('there is nothing to choose, and asking for a placement says so', async () => {
    const testbed = testbedFor({ cpus: [all[0] ?? 0] })
    expect(whyLacking('cpu-placement', testbed.primitives)).toContain('one CPU')
    await expect(testbed.set(bigTcp({ cpus: 'two-cpus' }), note())).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining('one CPU') as unknown,
    })
    expect((await testbed.deploy(pair, 'other-node', note())).cpus).toEqual({})
  })
})

test('lists of CPUs are read as the kernel writes them', () => {
  expect(parseCpuList('0-2,5')).toEqual([0, 1, 2, 5])
  expect(parseCpuList(' 7 ')).toEqual([7])
  expect(parseCpuList('')).toEqual([])
})

test('the last of many CPUs are taken', () => {
  expect(cpusFor('one-cpu', [CLIENT, SERVER], [0, 1, 2, 3])).toEqual({ client: 3, server: 3 })
  expect(cpusFor('two-cpus', [CLIENT, SERVER], [0, 1, 2, 3])).toEqual({ client: 2, server: 3 })
})
