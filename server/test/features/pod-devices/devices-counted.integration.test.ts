/** The pod devices in the counted machine, whose kernel has netkit. This machine’s own kernel has the other devices. */
import { describe } from 'vitest'
import { lacksMachine, machineHere } from '../../testbeds/counted/here.ts'
import { devicesContract } from './devices-contract.ts'

describe.skipIf(lacksMachine !== null)('in the counted machine', () => {
  devicesContract(['veth', 'netkit', 'netkit-bpf'], machineHere())
})
