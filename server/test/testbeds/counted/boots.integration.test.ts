/** When the counted machine is started, and when it ends. */
import { once } from 'node:events'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { CountedOptions } from '../../../src/testbeds/counted/machine.ts'
import type { Vm } from '../../../src/testbeds/counted/vm.ts'
import { netnsTestbed } from '../../support/netns.ts'
import { note } from '../../contract/contract-kit.ts'
import { descendants } from '../netns/host.ts'
import { lacksMachine, machineHere } from './here.ts'

function machines(options: Partial<CountedOptions> = {}) {
  const vms: Vm[] = []
  const machine = machineHere({ ...options, booted: (vm) => void vms.push(vm) })
  onTestFinished(() => machine.close())
  return { machine, vms }
}

const qemus = (): number => descendants(process.pid).filter(({ name }) => name.startsWith('qemu')).length

// A boot takes 4 s of CPU time, which can be a minute where much else runs.
describe.skipIf(lacksMachine !== null)('the counted machine', () => {
  test('is not started by what needs no machine', async () => {
    const { machine, vms } = machines()
    const testbed = netnsTestbed({ machine })
    expect(testbed.rest?.isNow()).toBe(true)
    expect((await testbed.rest?.checks())?.map(({ status }) => status)).toEqual(['passed', 'passed'])
    expect(await testbed.incarnation(note())).toMatch(/^counted-/)
    expect(vms).toEqual([])
  })

  test('a cancel during its start ends it', async () => {
    const { machine, vms } = machines()
    const abort = new AbortController()
    const started = machine.wake(abort.signal)
    abort.abort(new Error('not now'))
    await expect(started).rejects.toThrow('not now')
    expect([vms, qemus()]).toEqual([[], 0])
  })

  test('ends when nobody has used it for long', async () => {
    const { machine } = machines({ unusedMs: 1 })
    const { gone } = await machine.hold(new AbortController().signal)
    if (!gone.aborted) await once(gone, 'abort')
    expect(machine.rest?.isNow()).toBe(true)
    await machine.close()
    expect(qemus()).toBe(0)
  })
})
