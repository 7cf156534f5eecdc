/** Translators in the counted machine, which has their programs from this machine, and a kernel of its own. */
import { describe } from 'vitest'
import { lacksMachine, machineHere } from '../../testbeds/counted/here.ts'
import { gatewayContract } from './gateway-contract.ts'
import { hasTayga } from './here.ts'
import { probesContract } from './probes-contract.ts'

// Not the stateless program, too: the kernel's check of each takes a minute on a busy machine.
const wanted = [...(hasTayga ? (['tayga'] as const) : []), 'bpf-stateful' as const]

describe.skipIf(lacksMachine !== null)('in the counted machine', { timeout: 900_000 }, () => {
  describe('translators', () => gatewayContract(wanted, machineHere()))
  describe('probes', () => probesContract(wanted, machineHere()))
})
