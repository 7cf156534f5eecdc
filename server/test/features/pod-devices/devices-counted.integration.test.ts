/** The pod devices in the counted machine, whose kernel has netkit. */
import { describe } from 'vitest'
import { lacksMachine, machineHere } from '../../testbeds/counted/here.ts'
import { devicesContract } from './devices-contract.ts'

describe.skipIf(lacksMachine !== null)('in the counted machine', () => {
  devicesContract(['host', 'veth', 'veth-conntrack', 'veth-bpf', 'netkit', 'netkit-bpf'], machineHere())
})
