import { balancerContract } from './balancer-contract.ts'

balancerContract()
