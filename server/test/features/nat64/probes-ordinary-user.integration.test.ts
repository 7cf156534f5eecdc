import { becomeOrdinaryUser, translatorsHere } from './here.ts'
import { probesContract } from './probes-contract.ts'

becomeOrdinaryUser()
probesContract(translatorsHere())
