/** The testbed on a machine that is handed in: here this one under another name, which refuses to choose CPUs. */
import { knownCapabilities, whyLacking } from '@expresslane/shared/features/capabilities'
import { expect, onTestFinished, test } from 'vitest'
import { note, run } from '../../contract/contract-kit.ts'
import { netnsTestbed } from '../../support/netns.ts'
import { createThisMachine } from '../../../src/testbeds/netns/this-machine/index.ts'
import type { Machine } from '../../../src/testbeds/machine/machine.ts'
import { forwarder } from '../../../src/features/nodeport/topology.ts'
import { pair as pairOfPods } from '../../../src/features/big-tcp/topology.ts'
import type { Testbed } from '../../../src/testbeds/testbed.ts'
import { pair } from '../../support/runs/pair.ts'
import { bigTcp } from '../../support/runs/settings.ts'

const name = 'the machine next door'
const refusal = 'The machine next door chooses the CPUs itself.'

function testbedOn(change: (machine: Machine) => Partial<Machine>, topology = pairOfPods): Testbed {
  const here = createThisMachine()
  const testbed = netnsTestbed({ topology, machine: { ...here, name, ...change(here) } })
  onTestFinished(() => testbed.close())
  return testbed
}

test('facts, checks, commands and errors have its name', async () => {
  const testbed = testbedOn(({ findProgram }) => ({
    findProgram: (program) => (program === 'iperf3' ? Promise.resolve(null) : findProgram(program)),
  }))
  expect((await testbed.facts(note())).name).toBe(name)
  const context = note()
  const titles: string[] = []
  for await (const check of testbed.preflight(context)) titles.push(check.title)
  expect(titles).toContain(`Load of ${name}`)
  const places = context.events.flatMap((event) => (event.type === 'command.started' ? [event.where] : []))
  expect(places).toContain(name)
  expect(places).not.toContain('this machine')
  await testbed.deploy(pair, 'other-node', note())
  await expect(run(testbed, 'client', ['iperf3', '--version'])).rejects.toMatchObject({
    code: 'tool_missing',
    message: `The program iperf3 is not on ${name}.`,
  })
})

test('a capability whose primitive the machine refuses is lacking, with its reason', async () => {
  const testbed = testbedOn(({ primitives }) => ({
    cpus: [0],
    primitives: { ...primitives, cpus: refusal, bpf: refusal },
  }))
  expect(knownCapabilities().filter((one) => whyLacking(one, testbed.primitives) === refusal)).toEqual([
    'cpu-placement',
    'nodeport-xdp',
    'nodeport-tc',
    'pod-device-bpf',
    'load-balancing-bpf',
    'cluster-ip-tc',
    'translator-bpf',
  ])
  await expect(testbed.set(bigTcp({ cpus: 'two-cpus' }), note())).rejects.toMatchObject({
    code: 'bad_request',
    message: refusal,
  })
  await testbed.deploy(pair, 'other-node', note())
  await expect(run(testbed, 'net:client', ['true'])).rejects.toMatchObject({
    code: 'testbed_unavailable',
    message: refusal,
  })
})

test.each([
  ['it has', null, ['pgrep', 'ipvsadm', 'ipset']],
  ['it refuses', 'IPVS needs root there.', ['pgrep']],
])('the programs of IPVS are asked for, if %s IPVS', async (_, ipvs, asked) => {
  const missing = ['pgrep', 'ipvsadm', 'ipset']
  const testbed = testbedOn(
    ({ primitives, findProgram }) => ({
      primitives: { ...primitives, ipvs },
      findProgram: (program) => (missing.includes(program) ? Promise.resolve(null) : findProgram(program)),
    }),
    forwarder,
  )
  const found: string[] = []
  for await (const { id, remedyCommand } of testbed.preflight(note())) {
    if (!missing.includes(id)) continue
    found.push(id)
    expect(remedyCommand).toMatch(/^npm run tools -- (core|ipvs)$/)
  }
  expect(found).toEqual(asked)
})

test('a closed testbed closes it, after its holder', async () => {
  const order: string[] = []
  const testbed = testbedOn(({ hold }) => ({
    async hold(signal) {
      const holder = await hold(signal)
      holder.gone.addEventListener('abort', () => order.push('holder'))
      return holder
    },
    async close() {
      order.push('machine')
    },
  }))
  await testbed.read(note())
  await testbed.close()
  expect(order).toEqual(['holder', 'machine'])
})
