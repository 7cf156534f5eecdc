import { primitivesOf, readRights } from '../../../src/testbeds/machine/rights.ts'
import { limitsContract } from './limits-contract.ts'

const { tbf, police, fq, bpf, netem, 'congestion-control': congestion } = primitivesOf(readRights(), [0])

limitsContract(
  [
    'none',
    ...(tbf === null ? (['tbf'] as const) : []),
    ...(police === null ? (['police'] as const) : []),
    ...(fq === null && bpf === null ? (['edt', 'edt-routed'] as const) : []),
  ],
  netem === null && congestion === null,
)
