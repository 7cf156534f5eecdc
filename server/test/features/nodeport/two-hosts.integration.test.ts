/** NodePort between two hosts over ssh: the node is on one of them, its backend on the other. The hosts keep nothing. */
import { NODEPORT_HOOK, NODEPORT_SERVICES } from '@expresslane/shared/features/nodeport/settings'
import { LEGACY_MAX_SIZE } from '@expresslane/shared/testbed/reading'
import { whyLacking } from '@expresslane/shared/features/capabilities'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { pair } from '../../../src/features/big-tcp/topology.ts'
import { forwarder } from '../../../src/features/nodeport/topology.ts'
import type { Testbed } from '../../../src/testbeds/testbed.ts'
import { note } from '../../contract/contract-kit.ts'
import { bigTcp as switchedOn } from '../../support/runs/settings.ts'
import { createCardHosts, ip, type CardHosts } from '../../support/card-hosts.ts'
import { hooksContract } from './hooks-contract.ts'
import { deployed, hooksHere, measureOnce, workload } from './node.ts'

const hooks = hooksHere.filter((one) => one !== 'xdp')

let hosts: CardHosts
beforeAll(async () => {
  hosts = await createCardHosts('node-test')
})
afterAll(() => hosts.remove())

function open(): Promise<Testbed> {
  return hosts.open({ topology: forwarder })
}

hooksContract(hooks, open)

test.each(hooks)('%s: a new flow is forwarded to the other host, and its cost measured', async (by) => {
  const settings = { [NODEPORT_HOOK]: by, [NODEPORT_SERVICES]: 3 }
  const { measured, events } = await measureOnce(settings, { tool: 'new-flows', packetBytes: 64 }, 0.5, { open })
  process.stdout.write(`${by}: ${JSON.stringify(measured.values)}\n`)
  expect(measured.values).toMatchObject({ elsewhere: 0, hookShare: 1 })
  expect(measured.values['forwardRate']).toBeGreaterThan(0)
  const typed = events.flatMap((event) => (event.type === 'command.started' ? [event.typed] : []))
  expect(typed.some((line) => line.includes('sink --method socket'))).toBe(true)
})

test('preflight shows both cards, and says what these hosts lack', async () => {
  const testbed = await open()
  onTestFinished(() => testbed.close())
  const checks = []
  for await (const check of testbed.preflight(note())) checks.push(check)
  expect(checks.filter(({ status }) => status === 'failed')).toEqual([])
  const cards = checks.filter(({ id }) => id.startsWith('card-'))
  expect(cards.map(({ title }) => title)).toEqual([
    'The network card of a can be read',
    'The network card of b can be read',
  ])
  for (const { seen } of cards) expect(seen).toMatch(/^eth1: tso_max_size [\d,]+, MTU 1,500, driver veth/)
  expect(checks.map(({ id }) => id)).toEqual(expect.arrayContaining(['nftables', 'iptables']))
  for (const network of hosts.networks) expect(ip('netns', 'exec', network, 'nft', 'list', 'ruleset')).toBe('')
  expect(whyLacking('nodeport-tc', testbed.primitives)).toBeNull()
  expect(whyLacking('nodeport-xdp', testbed.primitives)).toContain('macvlan')
  for (const need of ['nodeport-rate', 'nodeport-thread'])
    expect(whyLacking(need, testbed.primitives)).toContain('Between two hosts a packet leaves the CPU that makes it')
})

/** A host's addresses and routes, the named namespaces, and its card: pods make the card promiscuous. */
function stateOf(network: string): string[] {
  return [
    ip('-n', network, 'address', 'show'),
    ip('-n', network, 'route', 'show', 'table', 'all'),
    ip('-n', network, '-d', 'link', 'show', 'eth1'),
    ip('netns', 'list'),
  ]
}

describe('nothing is left on the hosts', () => {
  async function built(): Promise<{ testbed: Testbed; before: unknown[] }> {
    const before = hosts.networks.map(stateOf)
    const { testbed } = await deployed({ [NODEPORT_HOOK]: 'nftables', [NODEPORT_SERVICES]: 2 }, open)
    expect(hosts.networks.map(stateOf)).not.toEqual(before)
    const read = await testbed.read(note())
    expect(read.kernel.map(({ where, device }) => `${where} ${device}`)).toEqual([
      'client eth0',
      'node eth0',
      'node eth1',
      'a eth1',
      'b eth1',
      'backend eth0',
    ])
    return { testbed, before }
  }

  test('when the testbed closes', async () => {
    const { testbed, before } = await built()
    await testbed.close()
    await expect.poll(() => hosts.networks.map(stateOf), { timeout: 20_000 }).toEqual(before)
  })

  test.each(['a', 'b'] as const)('when the connection to host %s is killed', async (host) => {
    const { before } = await built()
    const killed = hosts.sshTo(host)
    expect(killed).toHaveLength(1)
    for (const id of killed) process.kill(id, 'SIGKILL')
    await expect.poll(() => hosts.networks.map(stateOf), { timeout: 20_000 }).toEqual(before)
  })
})

test('cards that do not reach each other are named', async () => {
  const testbed = await hosts.open({ topology: forwarder, card: 'alone' })
  onTestFinished(() => testbed.close())
  await expect(testbed.deploy(workload, 'other-node', note())).rejects.toMatchObject({
    message: 'The network cards of a and b do not reach each other.',
  })
})

test('beside BIG TCP on the same hosts, whose sizes stay', async () => {
  const bigTcp = await hosts.open({ topology: pair })
  onTestFinished(() => bigTcp.close())
  await bigTcp.set(switchedOn({ ipv4: true, ipv6: true }), note())
  const { testbed } = await deployed({ [NODEPORT_HOOK]: 'nftables', [NODEPORT_SERVICES]: 1 }, open)
  await testbed.close()
  for (const network of hosts.networks) {
    const [, size] = /gso_max_size (\d+)/.exec(ip('-n', network, '-d', 'link', 'show', 'eth1')) ?? []
    expect(Number(size)).toBeGreaterThan(LEGACY_MAX_SIZE)
  }
})
