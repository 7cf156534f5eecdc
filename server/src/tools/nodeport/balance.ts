/** The helper's balancer: a BPF program with a table of buckets, which remembers its flows. */
import { z } from 'zod'
import { argv } from './argv.ts'
import { count, reader } from './lines.ts'

/** Balances with an empty table, until SIGTERM ({@link isBalanceReady}). Root, and Linux 6.6 for `tcx`. */
export const balanceArgv = (hook: 'xdp' | 'tcx', device: string): string[] => argv('balance', { hook, device })
export const isBalanceReady = (line: string): boolean => line.startsWith('{"type":"ready","of":"balance"')

export interface Table {
  readonly service: string
  readonly backends: readonly string[]
  readonly choice: 'hash' | 'random'
  readonly replies: 'balancer' | 'direct'
}

/** Gives the balancer of this network namespace a table, which is the input ({@link tableInput}). */
export const rebalanceArgv = ({ service, backends, choice, replies }: Table): string[] => [
  ...argv('rebalance', { service, choice, replies, table: '-' }),
  ...backends.flatMap((backend) => ['--backend', backend]),
]

/** @param buckets the backend of each bucket, from 1 to 15 */
export const tableInput = (buckets: readonly number[]): string =>
  `${JSON.stringify(buckets.map((backend) => backend.toString(16)).join(''))}\n`

/** Asks the balancer of this network namespace. Exit code 1 if there is none. */
export const balanceCountersArgv: readonly string[] = argv('counters', { of: 'balance' })

export const parseBalanceCounters = reader(
  z.object({
    type: z.literal('counters'),
    of: z.literal('balance'),
    hook: z.enum(['xdp', 'tcx']),
    choice: z.enum(['hash', 'random']),
    replies: z.enum(['balancer', 'direct']),
    /** New flows of each backend. */
    newByBackend: z.array(count),
    table: z.string().transform((digits) => digits.split('').map((digit) => Number.parseInt(digit, 16))),
  }),
)
