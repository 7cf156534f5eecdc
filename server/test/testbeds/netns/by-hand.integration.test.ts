/** People change a testbed in a terminal: the changes are found, named and undone. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { pair as topology } from '../../../src/features/big-tcp/topology.ts'
import type { Machine } from '../../../src/testbeds/machine/machine.ts'
import { createNetnsTestbed } from '../../../src/testbeds/netns/index.ts'
import { createThisMachine } from '../../../src/testbeds/netns/this-machine/index.ts'
import type { HandChange, Testbed } from '../../../src/testbeds/testbed.ts'
import { note } from '../../contract/contract-kit.ts'
import { pair } from '../../support/runs/pair.ts'
import { terminalAt } from '../typed-shell.ts'
import { lacksMachine, machineHere } from '../counted/here.ts'

/** Lines to type on a node, each with the words that name its change. */
const changes = [
  ['ip address add 192.0.2.7/24 dev eth0', 'added: eth0 inet 192.0.2.7/24'],
  ['ip route add 198.51.100.0/24 dev eth0', 'added: 198.51.100.0/24 dev eth0'],
  ['ip route del 10.31.2.0/24', 'removed: 10.31.2.0/24'],
  ['ip link set dev eth0 mtu 1400', 'added: eth0 mtu 1400'],
  ['ip link add own type veth peer name own2', 'added: own is a device of the kind veth'],
  ['echo 0 > /proc/sys/net/ipv4/ip_forward', 'added: /proc/sys/net/ipv4/ip_forward:0'],
  ['nft add table inet own', 'added: table inet own'],
  ['tc qdisc add dev eth0 clsact', 'added: qdisc clsact'],
] as const

async function undone(testbed: Testbed): Promise<readonly HandChange[]> {
  await testbed.remove(note())
  return (await testbed.terminals?.undo(note())) ?? []
}

const inWords = ({ change, line }: HandChange): string => `${change}: ${line}`

function byHand(machine?: Machine): void {
  function testbedHere(): Testbed {
    const testbed = createNetnsTestbed({ topology, machine: machine ?? createThisMachine() })
    onTestFinished(() => testbed.close())
    return testbed
  }

  // The machine starts again in each: one test is enough where that takes long.
  test.runIf(machine === undefined)('what nobody changed is not named, with whatever settings', async () => {
    const testbed = testbedHere()
    await testbed.deploy(pair, 'other-node', note())
    expect(testbed.terminals?.wereUsed()).toBe(false)
    const shell = await terminalAt('node1', testbed)
    await shell.run('ip link show')
    expect(testbed.terminals?.wereUsed()).toBe(true)
    await testbed.set({ 'big-tcp-ipv4': true }, note())
    const set = await testbed.read(note())
    const incarnation = await testbed.incarnation(note())
    expect(await undone(testbed)).toEqual([])
    expect(testbed.terminals?.wereUsed()).toBe(false)
    const { settings, kernel } = await testbed.read(note())
    expect(settings).toEqual(set.settings)
    const sizes = (readings: typeof kernel) =>
      readings
        .filter(({ role }) => role === 'node')
        .map(({ where, device, gsoIpv4MaxSize }) => [where, device, gsoIpv4MaxSize])
    expect(sizes(kernel)).toEqual(sizes(set.kernel.filter(({ device }) => device === 'eth0')))
    expect(await testbed.incarnation(note())).toBe(incarnation)
    await shell.closed
  })

  test('each change is named with its place, and gone', async () => {
    const testbed = testbedHere()
    await testbed.deploy(pair, 'other-node', note())
    const shell = await terminalAt('node1', testbed)
    for (const [line] of changes) expect(await shell.run(line), line).toMatch(/^mark-\d+-0/m)
    const found = await undone(testbed)
    expect([...new Set(found.map(({ where }) => where))]).toEqual(['node1'])
    for (const [line, words] of changes)
      expect(
        found.map(inWords).find((one) => one.startsWith(words)),
        line,
      ).toBeDefined()
    const again = await terminalAt('node1', testbed)
    expect(await again.run('ip link show own')).not.toMatch(/^mark-\d+-0/m)
    expect(await again.run('cat /proc/sys/net/ipv4/ip_forward')).toMatch(/^1/m)
    // Pods are made, and reach each other, as in a new testbed.
    await testbed.deploy(pair, 'other-node', note())
    const pod = await terminalAt('pod1', testbed)
    expect(await pod.run('netperf -H 10.31.2.2 -t TCP_RR -l -1')).toMatch(/^mark-\d+-0/m)
  })
}

describe('on this machine', () => byHand())
describe.skipIf(lacksMachine !== null)('in the counted machine', { timeout: 600_000 }, () => byHand(machineHere()))
