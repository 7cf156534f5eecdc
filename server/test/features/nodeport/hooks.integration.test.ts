import { hooksContract, manyServicesContract } from './hooks-contract.ts'
import { hooksHere } from './node.ts'

hooksContract(hooksHere)
manyServicesContract(hooksHere)
