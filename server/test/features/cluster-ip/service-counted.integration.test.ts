/** Cluster IPs in the counted machine. */
import { describe } from 'vitest'
import { lacksMachine, machineHere } from '../../testbeds/counted/here.ts'
import { serviceContract } from './service-contract.ts'

describe.skipIf(lacksMachine !== null)('in the counted machine', () => {
  serviceContract(machineHere())
})
