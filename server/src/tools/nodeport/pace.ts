/** The helper's commands for limits and long paths: departure times, and responses after a pause. */
import { z } from 'zod'
import { argv } from './argv.ts'
import { count, reader } from './lines.ts'

/** Gives the packets of these pods times of departure at the wire, until SIGTERM ({@link isPaceReady}). Root. */
export const paceArgv = (wire: string, mbit: number, pods: readonly string[]): string[] => [
  ...argv('pace', { wire, mbit }),
  ...pods.flatMap((pod) => ['--pod', pod]),
]
export const isPaceReady = (line: string): boolean => line.startsWith('{"type":"ready","of":"pace"')

/** Asks the `pace` of this network namespace. Exit code 1 if there is none. */
export const paceCountersArgv: readonly string[] = argv('counters', { of: 'pace' })

/** Answers each byte with so many bytes, until SIGTERM ({@link isBulkReady}). */
export const bulkArgv = (port: number, bytes: number): string[] => argv('bulk', { port, bytes })
export const isBulkReady = (line: string): boolean => line.startsWith('{"type":"ready","of":"bulk"')

export interface Fetches {
  readonly address: string
  readonly port: number
  readonly bytes: number
  /** Responses after a pause; twice as many come first, without one. */
  readonly count: number
  readonly pauseSeconds: number
}

/** Prints a line for each response ({@link parseFetched}). */
export const fetchArgv = ({ address, port, bytes, count: times, pauseSeconds }: Fetches): string[] =>
  argv('fetch', { address, port, bytes, count: times, 'pause-ms': pauseSeconds * 1000 })

export const parsePaceCounters = reader(
  z.object({ type: z.literal('counters'), of: z.literal('pace'), mbit: count, passed: count, dropped: count }),
)
export const parseFetched = reader(z.object({ type: z.literal('fetched'), paused: z.boolean(), ns: count }))
