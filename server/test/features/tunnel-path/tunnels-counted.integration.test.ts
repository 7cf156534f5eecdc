/** Tunnels in the counted machine, in each kernel that is here. */
import { describe } from 'vitest'
import { preparedMachines, releasesOf } from '../../../src/testbeds/counted/prepared.ts'
import { lacksMachine, machineHere } from '../../testbeds/counted/here.ts'
import { tunnelsContract } from './tunnels-contract.ts'

const releases = releasesOf(await preparedMachines(), null)

describe.skipIf(lacksMachine !== null)('in the counted machine', () => {
  describe.each(releases)('with %s', (kernel) => {
    tunnelsContract(['none', 'vxlan', 'geneve', 'wireguard', 'esp'], machineHere({ kernel }))
  })
})
