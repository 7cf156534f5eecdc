/** The kernels to choose from, and the present machine. No machine boots. */
import { describe, expect, it } from 'vitest'
import { createMachineOfKernels } from '../../../src/testbeds/counted/kernels.ts'
import { releasesOf, type Prepared } from '../../../src/testbeds/counted/prepared.ts'
import type { Machine } from '../../../src/testbeds/machine/machine.ts'
import { machineHere } from './here.ts'

const prepared = (release: string): Prepared => ({
  release,
  version: '1',
  sha256: '',
  vmlinux: '',
  initrd: '',
  programsSha256: null,
})

describe('the kernels to choose from', () => {
  it('begin with the one that boots unless another one is chosen', () => {
    const machines = ['6.12.117', '6.12.100', '6.12.43'].map(prepared)
    expect(releasesOf(machines, null)).toEqual(['6.12.117', '6.12.100', '6.12.43'])
    expect(releasesOf(machines, '6.12.100')).toEqual(['6.12.100', '6.12.117', '6.12.43'])
  })

  it('are none where the one that should boot is not here', () => {
    expect(releasesOf([prepared('6.12.117')], '6.12.1')).toEqual([])
    expect(releasesOf([], null)).toEqual([])
  })
})

describe('the machine of several kernels', () => {
  function machineOf(releases: readonly string[]) {
    const [made, closed]: [(string | null)[], (string | null)[]] = [[], []]
    const machine = createMachineOfKernels(releases, (release): Machine => {
      made.push(release)
      const readText = () => Promise.resolve(release)
      const profiler = () => Promise.reject(new Error(`the profiler of ${release}`))
      return { ...machineHere(), readText, profiler, close: async () => void closed.push(release) }
    })
    return { machine, made, closed, present: () => machine.readText('/proc/sys/kernel/osrelease') }
  }

  it('is the one that was chosen last, and the default at first', async () => {
    const { machine, made, present } = machineOf(['6.12.117', '6.12.43'])
    expect(made).toEqual(['6.12.117', '6.12.43'])
    expect(await present()).toBe('6.12.117')
    machine.kernels?.choose('6.12.43')
    expect(await present()).toBe('6.12.43')
    await expect(machine.profiler()).rejects.toThrow('the profiler of 6.12.43')
    machine.kernels?.choose(null)
    expect(await present()).toBe('6.12.117')
  })

  it('refuses a kernel that is not here, with the command that gets it', () => {
    const { kernels } = machineOf(['6.12.117', '6.12.43']).machine
    expect(() => kernels?.requireHere('6.12.1')).toThrow(
      expect.objectContaining({ code: 'bad_request', remedyCommand: 'npm run kernel -- 6.12.1' }),
    )
    for (const release of ['6.12.43', '6.12.117', null]) expect(() => kernels?.requireHere(release)).not.toThrow()
  })

  it('ends all of them', async () => {
    const { machine, closed } = machineOf(['6.12.117', '6.12.43'])
    await machine.close()
    expect(new Set(closed)).toEqual(new Set(['6.12.117', '6.12.43']))
  })

  it('offers no choice with one kernel, and says how to get another', () => {
    const { machine, made } = machineOf(['6.12.117'])
    expect(made).toEqual([null])
    expect(machine.kernels).toBeNull()
    expect(machine.primitives.kernels).toMatch(/npm run kernel/)
    expect(machineOf(['6.12.117', '6.12.43']).machine.primitives.kernels).toBeNull()
  })
})
