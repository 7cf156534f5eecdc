/**
 * Tunnels in the counted machine: those that many machines' own kernels lack, and VXLAN, whose limit differs by kernel, in each
 * kernel that is here. Preflight makes a device of every kind.
 */
import { describe } from 'vitest'
import { preparedMachines, releasesOf } from '../../../src/testbeds/counted/prepared.ts'
import { lacksMachine, machineHere } from '../../testbeds/counted/here.ts'
import { tunnelsContract } from './tunnels-contract.ts'

const [usual, ...others] = releasesOf(await preparedMachines(), null)
const all = ['none', 'vxlan', 'geneve', 'wireguard', 'esp'] as const

describe.skipIf(lacksMachine !== null)('in the counted machine', () => {
  describe('with the usual kernel', () => {
    tunnelsContract(all, machineHere({ kernel: usual ?? null }), ['vxlan', 'wireguard', 'esp'])
  })
  describe.each(others)('with %s', (kernel) => {
    tunnelsContract(all, machineHere({ kernel }), ['vxlan'])
  })
})
