import { hooksContract } from './hooks-contract.ts'
import { hooksHere } from './node.ts'

hooksContract(hooksHere)
