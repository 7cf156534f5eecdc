/** The balancer in the counted machine. */
import { describe } from 'vitest'
import { lacksMachine, machineHere } from '../../testbeds/counted/here.ts'
import { balancerContract } from './balancer-contract.ts'

describe.skipIf(lacksMachine !== null)('in the counted machine', () => {
  balancerContract(machineHere())
})
