/**
 * Two hosts over ssh, with a network between their cards: two network namespaces, each with an ssh server. BIG TCP works on
 * them as on one machine, and each card has its own sizes again when the connection ends, however it ends.
 */
import { LEGACY_MAX_SIZE } from '@expresslane/shared/testbed/reading'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { pair as twoPods } from '../../../src/features/big-tcp/topology.ts'
import { devices } from '../../../src/features/pod-devices/topology.ts'
import type { Testbed } from '../../../src/testbeds/testbed.ts'
import { parseLinks } from '../../../src/tools/ip-link.ts'
import { bigTcpContract } from '../../contract/contract-big-tcp.ts'
import { note } from '../../contract/contract-kit.ts'
import { createCardHosts, ip, OWN_SIZE, type CardHosts, type Wanted } from '../../support/card-hosts.ts'
import { pair } from '../../support/runs/pair.ts'
import { bigTcp } from '../../support/runs/settings.ts'

/** The sizes for IPv4 and IPv6 of a host's card, to send and to receive. */
function cardOf(network: string): unknown {
  const [card] = parseLinks(ip('-n', network, '-d', '-s', '-j', 'link', 'show', 'dev', 'eth1'))
  return [card?.gsoMaxSize, card?.groMaxSize, card?.gsoIpv4MaxSize, card?.groIpv4MaxSize]
}
const untouched = [OWN_SIZE, LEGACY_MAX_SIZE, OWN_SIZE, LEGACY_MAX_SIZE]

let hosts: CardHosts
beforeAll(async () => {
  hosts = await createCardHosts('card-test')
})
afterAll(() => hosts.remove())

function onTwoHosts(wanted: Partial<Wanted> = {}): Promise<Testbed> {
  return hosts.open({ topology: twoPods, ...wanted })
}

bigTcpContract('two hosts over ssh', () => onTwoHosts())

async function switchedOn(wanted?: Partial<Wanted>): Promise<Testbed> {
  const testbed = await onTwoHosts(wanted)
  await testbed.set(bigTcp({ ipv4: true, ipv6: true }), note())
  for (const network of hosts.networks) expect(cardOf(network)).not.toEqual(untouched)
  return testbed
}

async function expectUntouched(): Promise<void> {
  for (const network of hosts.networks) await expect.poll(() => cardOf(network), { timeout: 20_000 }).toEqual(untouched)
}

describe('the cards have their own sizes again', () => {
  test('when the testbed closes', async () => {
    const testbed = await switchedOn()
    await testbed.deploy(pair, 'other-node', note())
    await testbed.close()
    await expectUntouched()
  })

  test('when the connection to one of the hosts is killed', async () => {
    const testbed = await switchedOn()
    onTestFinished(() => testbed.close())
    for (const id of hosts.sshTo('a')) process.kill(id, 'SIGKILL')
    await expectUntouched()
  })

  test('when a connection is cut without a word', async () => {
    const testbed = await switchedOn({ mostSilence: 2 })
    onTestFinished(() => testbed.close())
    const stopped = hosts.sshTo('b')
    expect(stopped).toHaveLength(1)
    for (const id of stopped) process.kill(id, 'SIGSTOP')
    onTestFinished(() => stopped.forEach((id) => process.kill(id, 'SIGCONT')))
    await expectUntouched()
  })
})

describe('hosts that can’t be used are named', () => {
  test('a card that sends no large packets, before anything is changed', async () => {
    const testbed = await onTwoHosts({ card: 'alone' })
    onTestFinished(() => testbed.close())
    const { kernel } = await testbed.read(note())
    expect(kernel.map(({ where, device }) => `${where} ${device}`)).toEqual(['a alone', 'b alone'])
    await expect(testbed.set(bigTcp({ ipv4: true }), note())).rejects.toMatchObject({
      message: expect.stringContaining('alone on a sends no packet beyond 64 KiB'),
    })
    const checks = []
    for await (const check of testbed.preflight(note())) checks.push(check)
    expect(checks.find(({ id }) => id === 'card-b')).toMatchObject({ status: 'failed', seen: /driver bridge/ })
    await expect(testbed.deploy(pair, 'other-node', note())).rejects.toMatchObject({
      message: 'The network cards of a and b do not reach each other.',
    })
  })

  test('a card that is not there, or not known', async () => {
    await expect(onTwoHosts({ card: 'eth9' })).rejects.toMatchObject({
      remedy: expect.stringMatching(/--ssh [ab]=eth1/),
    })
    // ssh connects to the loopback device here.
    await expect(onTwoHosts({ card: null })).rejects.toMatchObject({
      message: expect.stringContaining('no card has the address'),
    })
  })

  test('a host whose network another server changes', async () => {
    const testbed = await onTwoHosts()
    onTestFinished(() => testbed.close())
    await expect(onTwoHosts({ topology: devices })).rejects.toMatchObject({
      message: 'This lab does not run on two hosts.',
    })
    await expect(onTwoHosts()).rejects.toMatchObject({
      detail: expect.stringContaining('Another Expresslane changes the network of this host.'),
    })
  })
})
