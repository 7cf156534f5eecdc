import { gatewayContract } from './gateway-contract.ts'
import { becomeOrdinaryUser, translatorsHere } from './here.ts'

becomeOrdinaryUser()
gatewayContract(translatorsHere())
