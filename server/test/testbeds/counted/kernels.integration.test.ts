/** Two real kernels on one counted testbed: each boots when it is chosen, and says itself which one it is. */
import { expectedPackets } from '@expresslane/shared/features/big-tcp/payload'
import { KERNEL } from '@expresslane/shared/features/kernel'
import { bytes } from '@expresslane/shared/base/units'
import { afterAll, describe, expect, test } from 'vitest'
import { measure, MESSAGE, note, run } from '../../contract/contract-kit.ts'
import { createMachineOfKernels } from '../../../src/testbeds/counted/kernels.ts'
import { preparedMachines, releasesOf } from '../../../src/testbeds/counted/prepared.ts'
import type { Vm } from '../../../src/testbeds/counted/vm.ts'
import { netnsTestbed } from '../../support/netns.ts'
import { pair, pairOf } from '../../support/runs/pair.ts'
import { bigTcp } from '../../support/runs/settings.ts'
import { lacksMachine, machineHere } from './here.ts'

/** Ends a boot that hangs: a boot takes seconds, on a busy host many seconds. */
const HANGS_MS = 300_000

const releases = releasesOf(await preparedMachines(), null)
const [usual = '', other = ''] = releases
/** From Linux 7 on segments of big packets over IPv6 have no header of their own, for which nodes need room. */
const nodeMtuOf = (release: string): number => (Number.parseInt(release, 10) >= 7 ? 1500 : 1600)
const lacksKernels = lacksMachine ?? (other === '' ? 'there is one kernel here: npm run kernel' : null)
if (lacksKernels !== null) process.stderr.write(`SKIPPED the tests of two kernels: ${lacksKernels}\n`)

describe.skipIf(lacksKernels !== null)('two kernels', { timeout: HANGS_MS }, () => {
  const vms: Vm[] = []
  const booted = (vm: Vm): void => void vms.push(vm)
  const testbed = netnsTestbed({
    machine: createMachineOfKernels(releases, (kernel) => machineHere({ booted, kernel })),
  })
  afterAll(() => testbed.close(), HANGS_MS)
  const releaseOfClient = async () => (await run(testbed, 'client', ['uname', '-r'])).stdout

  /** In the present kernel: the MTUs, and that big packets over IPv6 pass whole. */
  async function expectBigPackets(release: string): Promise<void> {
    const { kernel: path } = await testbed.set(bigTcp({ ipv6: true }), note())
    const mtusOf = (isPod: boolean) => path.filter(({ role }) => (role === 'pod') === isPod).map(({ mtu }) => mtu)
    expect([mtusOf(true), mtusOf(false)]).toEqual([Array(2).fill(1500), Array(7).fill(nodeMtuOf(release))])
    const { server } = pairOf(await testbed.deploy(pair, 'other-node', note()))
    const { packets } = await measure(testbed, server.addresses.ipv6 ?? '')
    const most = path.flatMap(({ native, gsoMaxSize }) => (native ? [gsoMaxSize ?? 0] : []))
    const expected = expectedPackets(MESSAGE, bytes.parse(Math.min(...most)), bytes.parse(1500), 'ipv6')
    expect(expected).toBe(1)
    expect([packets.perRequest, packets.perResponse].map(Math.round)).toEqual([expected, expected])
    await testbed.set(bigTcp({ ipv6: false }), note())
  }

  test('are offered, the default first', () => {
    expect(testbed.choices.get(KERNEL)).toEqual(releases)
    expect(testbed.primitives.kernels).toBeNull()
  })

  test('pods of the default run on it, and take no notice of the others', async () => {
    await testbed.deploy(pair, 'other-node', note())
    expect(await releaseOfClient()).toEqual([usual])
    expect((await testbed.read(note())).carried).toEqual({ [KERNEL]: null })
    expect(vms).toHaveLength(1)
    await expect(testbed.set({ [KERNEL]: '1.0' }, note())).rejects.toMatchObject({ code: 'bad_request' })
    expect(await releaseOfClient()).toEqual([usual])
  })

  test('on the default, nodes have the MTU that big packets over IPv6 need', () => expectBigPackets(usual))

  test('another one is another machine without pods, on the same testbed with the same settings', async () => {
    const incarnation = await testbed.incarnation(note())
    const was = await testbed.facts(note())
    await testbed.set({ 'big-tcp-ipv4': true }, note())
    const state = await testbed.set({ [KERNEL]: other }, note())
    expect(state).toMatchObject({
      settings: { [KERNEL]: other, 'big-tcp-ipv4': true },
      carried: { [KERNEL]: other },
      placement: null,
    })
    await testbed.deploy(pair, 'other-node', note())
    expect(await releaseOfClient()).toEqual([other])
    const is = await testbed.facts(note())
    expect([was.kernel, is.kernel]).toEqual([usual, other])
    expect(is.versions['kernel package']).not.toBe(was.versions['kernel package'])
    expect(is.incarnation).toBe(incarnation)
  })

  test('on the other, nodes have the MTU that big packets over IPv6 need there', () => expectBigPackets(other))

  test('back on the default, the first machine goes on, and there are two', async () => {
    const state = await testbed.set({ [KERNEL]: null, 'big-tcp-ipv4': false }, note())
    expect(state).toMatchObject({ settings: { [KERNEL]: null }, carried: { [KERNEL]: null }, placement: null })
    await testbed.deploy(pair, 'other-node', note())
    expect(await releaseOfClient()).toEqual([usual])
    expect(vms.map(({ prepared }) => prepared.release)).toEqual([usual, other])
    expect(vms.every(({ gone }) => !gone.aborted)).toBe(true)
  })

  test('a kernel that ends while the other is used boots again; the testbed is the same', async () => {
    const incarnation = await testbed.incarnation(note())
    await vms[1]?.close()
    await testbed.set({ [KERNEL]: other }, note())
    expect(await testbed.incarnation(note())).toBe(incarnation)
    expect(vms.map(({ prepared }) => prepared.release)).toEqual([usual, other, other])
  })

  test('when the one in use ends, the testbed is a new one, on the default', async () => {
    const incarnation = await testbed.incarnation(note())
    await vms.at(-1)?.close()
    expect(await testbed.incarnation(note())).not.toBe(incarnation)
    await testbed.deploy(pair, 'other-node', note())
    expect(await releaseOfClient()).toEqual([usual])
    expect((await testbed.read(note())).settings).toMatchObject({ [KERNEL]: null, 'big-tcp-ipv4': false })
  })
})
