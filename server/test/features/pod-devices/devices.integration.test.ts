import { readRights, primitivesOf } from '../../../src/testbeds/machine/rights.ts'
import { devicesContract } from './devices-contract.ts'

const { bpf, netkit } = primitivesOf(readRights(), [0])

// `devices-ordinary-user.integration.test.ts` has the devices that need no BPF.
devicesContract([
  'veth',
  ...(bpf === null ? (['veth-bpf'] as const) : []),
  ...(netkit === null ? (['netkit'] as const) : []),
  ...(bpf === null && netkit === null ? (['netkit-bpf'] as const) : []),
])
