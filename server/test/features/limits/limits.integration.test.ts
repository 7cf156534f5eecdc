import { primitivesOf, readRights } from '../../../src/testbeds/machine/rights.ts'
import { limitsContract } from './limits-contract.ts'

const { police, fq, bpf, netem, 'congestion-control': congestion } = primitivesOf(readRights(), [0])

// `limits-ordinary-user.integration.test.ts` has the limits that need no BPF.
limitsContract(
  [
    'none',
    ...(police === null ? (['police'] as const) : []),
    ...(fq === null && bpf === null ? (['edt', 'edt-routed'] as const) : []),
  ],
  netem === null && congestion === null,
)
