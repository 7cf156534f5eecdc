/**
 * Tunnels in the counted machine. All are in its first kernel. In each other kernel that is here, VXLAN and Geneve are,
 * whose limit differs by kernel, and preflight, which makes a device of every kind.
 */
import { describe } from 'vitest'
import { preparedMachines, releasesOf } from '../../../src/testbeds/counted/prepared.ts'
import { lacksMachine, machineHere } from '../../testbeds/counted/here.ts'
import { tunnelsContract } from './tunnels-contract.ts'

const [usual, ...others] = releasesOf(await preparedMachines(), null)
const all = ['none', 'vxlan', 'geneve', 'wireguard', 'esp'] as const

describe.skipIf(lacksMachine !== null)('in the counted machine', () => {
  describe('with the usual kernel', () => tunnelsContract(all, machineHere({ kernel: usual ?? null })))
  describe.each(others)('with %s', (kernel) => {
    tunnelsContract(all, machineHere({ kernel }), ['vxlan', 'geneve'])
  })
})
