/** All limiters and long paths in the counted machine, whose kernel has them. */
import { describe } from 'vitest'
import { lacksMachine, machineHere } from '../../testbeds/counted/here.ts'
import { limitsContract } from './limits-contract.ts'

describe.skipIf(lacksMachine !== null)('in the counted machine', () => {
  limitsContract(['none', 'police', 'tbf', 'edt', 'edt-routed'], true, machineHere())
})
