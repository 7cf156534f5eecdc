/** Two real kernels on one counted testbed: each boots when it is chosen, and says itself which one it is. */
import { KERNEL } from '@expresslane/shared/features/kernel'
import { afterAll, describe, expect, test } from 'vitest'
import { note, run } from '../../contract/contract-kit.ts'
import { createMachineOfKernels } from '../../../src/testbeds/counted/kernels.ts'
import { preparedMachines, releasesOf } from '../../../src/testbeds/counted/prepared.ts'
import type { Vm } from '../../../src/testbeds/counted/vm.ts'
import { netnsTestbed } from '../../support/netns.ts'
import { pair } from '../../support/runs/pair.ts'
import { lacksMachine, machineHere } from './here.ts'

/** Ends a boot that hangs: a boot takes seconds, on a busy host many seconds. */
const HANGS_MS = 300_000

const releases = releasesOf(await preparedMachines(), null)
const [usual = '', other = ''] = releases
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
