/** Translators in the counted machine, which has their programs from this machine, and a kernel of its own. */
import { spawnSync } from 'node:child_process'
import { describe } from 'vitest'
import { lacksMachine, machineHere } from '../../testbeds/counted/here.ts'
import { gatewayContract } from './gateway-contract.ts'

const hasTayga = spawnSync('tayga', ['--help']).error === undefined

// Not the stateless program, too: the kernel's check of each takes a minute on a busy machine.
describe.skipIf(lacksMachine !== null)('in the counted machine', { timeout: 900_000 }, () => {
  gatewayContract([...(hasTayga ? (['tayga'] as const) : []), 'bpf-stateful'], machineHere())
})
