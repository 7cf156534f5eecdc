/** Translators in the counted machine, which has their programs from this machine, and a kernel of its own. */
import { describe } from 'vitest'
import { lacksMachine, machineHere } from '../../testbeds/counted/here.ts'
import { gatewayContract } from './gateway-contract.ts'
import { hasTayga } from './here.ts'
import { probesContract } from './probes-contract.ts'

const tayga = hasTayga ? (['tayga'] as const) : []

describe.skipIf(lacksMachine !== null)('in the counted machine', { timeout: 900_000 }, () => {
  // A single BPF program, deployed once: the kernel takes 20 s of CPU time to check it, and a minute on a busy machine.
  describe('translators', () => gatewayContract([...tayga, 'bpf-stateful'], machineHere()))
  describe('probes', () => probesContract(tayga, machineHere()))
})
