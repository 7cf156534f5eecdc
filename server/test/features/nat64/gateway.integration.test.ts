import { gatewayContract } from './gateway-contract.ts'
import { translatorsHere } from './here.ts'

gatewayContract(translatorsHere())
