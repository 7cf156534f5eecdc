import { readRights, primitivesOf } from '../../../src/testbeds/machine/rights.ts'
import { devicesContract } from './devices-contract.ts'

const { bpf, netkit } = primitivesOf(readRights(), [0])

devicesContract([
  'host',
  'veth',
  'veth-conntrack',
  ...(bpf === null ? (['veth-bpf'] as const) : []),
  ...(netkit === null ? (['netkit'] as const) : []),
  ...(bpf === null && netkit === null ? (['netkit-bpf'] as const) : []),
])
