/** The netns path under a limit and an MTU: what the contract does not ask of every testbed. */
import { bytes } from '@expresslane/shared/base/units'
import { describe, expect, onTestFinished, test } from 'vitest'
import { note } from '../../contract/contract-kit.ts'
import { netnsTestbed } from '../../support/netns.ts'
import { createThisMachine, type ThisMachineOptions } from '../../../src/testbeds/netns/this-machine/index.ts'
import type { Testbed } from '../../../src/testbeds/testbed.ts'
import { realPath, toolsOf } from './tools-of.ts'
import { pair } from '../../support/runs/pair.ts'
import { bigTcp } from '../../support/runs/settings.ts'

function testbedFor(options: ThisMachineOptions = {}): Testbed {
  const testbed = netnsTestbed({ machine: createThisMachine(options) })
  onTestFinished(() => testbed.close())
  return testbed
}

function containing(text: string): unknown {
  return expect.stringContaining(text)
}

/** `where/device` -> MTU, in the order of the path. */
async function mtus(testbed: Testbed): Promise<Record<string, number>> {
  const { kernel } = await testbed.read(note())
  return Object.fromEntries(kernel.map(({ where, device, mtu }) => [`${where}/${device}`, mtu]))
}

const wireAndNodes = (mtu: number) => ({
  'node1/eth0': mtu,
  'bridge/port1': mtu,
  'bridge/br0': mtu,
  'bridge/port2': mtu,
  'node2/eth0': mtu,
})

describe('an MTU', () => {
  test('grows nodes and wire by 100 more than the pods, there and back; a pod keeps both its ends', async () => {
    const testbed = testbedFor()
    await testbed.deploy(pair, 'other-node', note())
    await testbed.set(bigTcp({ mtu: bytes.parse(9000) }), note())
    const old = { 'pod1/eth0': 1500, 'node1/lxc1': 1600, 'node2/lxc2': 1600, 'pod2/eth0': 1500 }
    expect(await mtus(testbed)).toEqual({ ...wireAndNodes(9100), ...old })
    await testbed.deploy(pair, 'other-node', note())
    const jumbo = { 'pod1/eth0': 9000, 'node1/lxc1': 9100, 'node2/lxc2': 9100, 'pod2/eth0': 9000 }
    expect(await mtus(testbed)).toEqual({ ...wireAndNodes(9100), ...jumbo })
    await testbed.set(bigTcp({ mtu: null }), note())
    expect(await mtus(testbed)).toEqual({ ...wireAndNodes(1600), ...jumbo })
  })

  test('is set only where it is another one', async () => {
    const testbed = testbedFor()
    const context = note()
    await testbed.set(bigTcp({ ipv4: true }), context)
    const typed = (): string[] =>
      context.events.flatMap((event) => (event.type === 'command.started' ? [event.typed] : []))
    expect(typed().filter((line) => line.includes('link set dev') && line.includes('mtu'))).toEqual([])
    await testbed.set(bigTcp({ mtu: bytes.parse(9000) }), context)
    expect(typed()).toContainEqual(containing('ip -n bridge link set dev br0 mtu 9100'))
  })

  test.each([1279, 65_436])('%d is refused, with the MTUs that a pod can have', async (mtu) => {
    const testbed = testbedFor()
    await expect(testbed.set(bigTcp({ mtu: bytes.parse(mtu) }), note())).rejects.toMatchObject({
      code: 'bad_request',
      message: containing('1,280 to 65,435 bytes'),
    })
    expect(await testbed.read(note())).toMatchObject({ settings: { 'pod-mtu': null } })
  })

  test('is datapath_not_taken, device by device, if the wire does not take it', async () => {
    const ip = `case "$*" in "-n bridge -batch -") sed 's/ mtu 9100//' | ${realPath('ip')} "$@" ;; *) exec ${realPath('ip')} "$@" ;; esac`
    const testbed = testbedFor({ env: toolsOf({ ip }) })
    await expect(testbed.set(bigTcp({ mtu: bytes.parse(9000) }), note())).rejects.toMatchObject({
      code: 'datapath_not_taken',
      detail: ['port1', 'br0', 'port2'].map((device) => `bridge/${device} mtu: expected 9100, seen 1600`).join('\n'),
    })
  })
})

describe('a limit', () => {
  test('below 64 KiB is refused, because that is the size without BIG TCP', async () => {
    await expect(testbedFor().set(bigTcp({ limit: bytes.parse(65_535) }), note())).rejects.toMatchObject({
      code: 'bad_request',
      message: containing('65,536 to 524,280 bytes'),
    })
  })

  test('for IPv4 survives IPv6 going off: IPv6 is written first, so that its 64 KiB spoil no IPv4', async () => {
    const testbed = testbedFor()
    const limit = bytes.parse(524_280)
    await testbed.set(bigTcp({ ipv4: true, ipv6: true, limit }), note())
    const { kernel } = await testbed.set(bigTcp({ ipv6: false }), note())
    for (const device of kernel.filter(({ native }) => native)) {
      expect(device).toMatchObject({ gsoMaxSize: 65_536, gsoIpv4MaxSize: 524_280, groIpv4MaxSize: 524_280 })
    }
  })
})
