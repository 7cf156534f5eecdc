import { balancerContract } from './balancer-contract.ts'

const NOBODY = 65_534

/** As root, this file's own process becomes an ordinary user. */
if (process.getuid?.() === 0) {
  process.setgroups?.([])
  process.setgid?.(NOBODY)
  process.setuid?.(NOBODY)
}

balancerContract()
