import { translatorsHere } from './here.ts'
import { probesContract } from './probes-contract.ts'

probesContract(translatorsHere())
