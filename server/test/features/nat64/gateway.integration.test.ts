import { spawnSync } from 'node:child_process'
import { readRights, refusalsOf } from '../../../src/testbeds/netns/this-machine/rights.ts'
import { gatewayContract } from './gateway-contract.ts'

const { bpf, tun } = refusalsOf(readRights(), [0])
const hasTayga = spawnSync('tayga', ['--help']).error === undefined

gatewayContract([
  'native',
  ...(tun === null && hasTayga ? (['tayga'] as const) : []),
  ...(bpf === null ? (['bpf-stateless', 'bpf-stateful'] as const) : []),
])
