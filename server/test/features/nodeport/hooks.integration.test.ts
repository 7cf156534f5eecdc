import { hooksContract, manyServicesContract } from './hooks-contract.ts'

const hooks =
  process.getuid?.() === 0 ? (['nftables', 'iptables', 'xdp', 'tc'] as const) : (['nftables', 'iptables'] as const)
hooksContract(hooks)
manyServicesContract(hooks)
