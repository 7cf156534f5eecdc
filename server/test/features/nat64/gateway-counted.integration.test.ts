/** All translators in the counted machine, whose programs are this machine's. */
import { spawnSync } from 'node:child_process'
import { describe } from 'vitest'
import { lacksMachine, machineHere } from '../../testbeds/counted/here.ts'
import { gatewayContract } from './gateway-contract.ts'

const hasTayga = spawnSync('tayga', ['--help']).error === undefined

// The kernel's check of the BPF program alone takes a minute on a busy machine.
describe.skipIf(lacksMachine !== null)('in the counted machine', { timeout: 900_000 }, () => {
  gatewayContract(['native', ...(hasTayga ? (['tayga'] as const) : []), 'bpf-stateless', 'bpf-stateful'], machineHere())
})
