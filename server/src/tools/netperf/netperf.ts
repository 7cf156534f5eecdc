/**
 * netperf's TCP_RR and TCP_CRR: their argv, and a reader of their output.
 * `-k` makes it print NAME=value lines, and `-D` interim results. netperf flushes each line, so they arrive at once
 * through a pipe.
 */
import {
  microseconds,
  transactionsPerSecond,
  type Bytes,
  type Microseconds,
  type TransactionsPerSecond,
} from '@expresslane/shared/base/units'
import { createNetperfReader, readNetperfLine, unreadable, type Ended } from './output.ts'

/** Seconds between interim results. */
export const INTERIM_SECONDS = 0.2
/** The same in a run of less than a second. */
const SHORT_INTERIM_SECONDS = 0.1

const latencySelectors = {
  min: 'MIN_LATENCY',
  mean: 'MEAN_LATENCY',
  p50: 'P50_LATENCY',
  p90: 'P90_LATENCY',
  p99: 'P99_LATENCY',
  max: 'MAX_LATENCY',
  stddev: 'STDDEV_LATENCY',
} as const

export const rrSelectors = [
  ...Object.values(latencySelectors),
  'THROUGHPUT',
  'THROUGHPUT_UNITS',
  'LOCAL_CPU_UTIL',
  'REMOTE_CPU_UTIL',
  'LOCAL_TRANSPORT_RETRANS',
  'ELAPSED_TIME',
] as const

interface Sizes {
  /** An address literal: netperf's own name resolution fails in a namespace without DNS. */
  readonly address: string
  readonly requestBytes: Bytes
  readonly responseBytes: Bytes
}

export interface TcpRrOptions extends Sizes {
  /** Whole seconds. */
  readonly seconds: number
}

function measuredArgv({ address, requestBytes, responseBytes }: Sizes, length: number, interim: number): string[] {
  const test = ['-H', address, '-t', 'TCP_RR', '-l', String(length), '-D', String(interim), '-P', '0']
  return ['netperf', ...test, '--', '-r', `${requestBytes},${responseBytes}`, '-k', rrSelectors.join(',')]
}

/** The argv of one TCP_RR run. netperf splits `-r` at a comma only. */
export function tcpRrArgv({ seconds, ...sizes }: TcpRrOptions): string[] {
  return measuredArgv(sizes, seconds, INTERIM_SECONDS)
}

/** The argv of a measured run with a number of transactions instead of seconds: netperf knows whole seconds only. */
export function countedTcpRrArgv(sizes: Sizes, transactions: number): string[] {
  return measuredArgv(sizes, -transactions, SHORT_INTERIM_SECONDS)
}

/**
 * The argv of a TCP_CRR run: connect, a request and a response of one byte, close.
 *
 * @param length whole seconds; below 0 so many transactions
 */
export function tcpCrrArgv(address: string, length: number): string[] {
  const test = ['-H', address, '-t', 'TCP_CRR', '-l', String(length), '-D', String(INTERIM_SECONDS), '-P', '0']
  return ['netperf', ...test, '--', '-r', '1,1', '-k', rrSelectors.join(',')]
}

/** The argv of a TCP_RR run with a number of transactions, without results. */
export function transactionsArgv(options: Sizes, transactions: number): string[] {
  const { address, requestBytes, responseBytes } = options
  const test = ['-H', address, '-t', 'TCP_RR', '-l', String(-transactions), '-P', '0']
  return ['netperf', ...test, '--', '-r', `${requestBytes},${responseBytes}`]
}

/**
 * Latencies of one run. Percentiles come from a histogram with 1 µs buckets for
 * 10-99 µs, 10 µs for 100-999 µs and 100 µs for 1-9.9 ms: no finer difference is real.
 */
export type Latency = Readonly<Record<keyof typeof latencySelectors, Microseconds>>

export interface TcpRrSample {
  /** Seconds since the run's own start. */
  readonly atSeconds: number
  readonly tps: TransactionsPerSecond
}

export interface TcpRrResult {
  readonly tps: TransactionsPerSecond
  readonly latency: Latency
  readonly elapsedSeconds: number
  /** Segments that the client retransmitted; null if netperf did not report them. */
  readonly retransmits: number | null
}

export interface TcpRrReader {
  /** Reads a line. @returns a sample, if the line completes one */
  read(line: string): TcpRrSample | null
  /**
   * The result, once netperf has ended.
   *
   * @throws LabError `netserver_unreachable`, `tool_failed`, `tool_output_unreadable`
   */
  finish(ended: Ended): TcpRrResult
}

/** Reads one TCP_RR run, line by line; samples are in seconds since the run's start. */
export function createTcpRrReader(): TcpRrReader {
  const netperf = createNetperfReader()

  function latencyOf(name: keyof Latency): Microseconds {
    return microseconds.parse(netperf.notNegative(latencySelectors[name]))
  }

  return {
    read(line) {
      const interim = netperf.read(line)
      return interim && { atSeconds: interim.atSeconds, tps: transactionsPerSecond.parse(interim.value) }
    },
    finish(ended) {
      netperf.requireSuccess(ended)
      const tps = transactionsPerSecond.parse(netperf.notNegative('THROUGHPUT'))
      if (netperf.text('THROUGHPUT_UNITS') !== 'Trans/s') {
        throw unreadable('THROUGHPUT is not in transactions/s', netperf.words())
      }
      const elapsedSeconds = netperf.elapsedSeconds()
      const latency = {
        min: latencyOf('min'),
        mean: latencyOf('mean'),
        p50: latencyOf('p50'),
        p90: latencyOf('p90'),
        p99: latencyOf('p99'),
        max: latencyOf('max'),
        stddev: latencyOf('stddev'),
      }
      return { tps, latency, elapsedSeconds, retransmits: netperf.retransmits() }
    },
  }
}

/**
 * The cheapest call that shows whether netperf has demo mode: it reads `-D` before `-V`, so a build without demo mode
 * reports an error, and no test is run.
 */
export const netperfProbeArgv: readonly string[] = ['netperf', '-D', String(INTERIM_SECONDS), '-V']

/** Does the output of {@link netperfProbeArgv} come from a build with demo mode? */
export function hasDemoMode(output: string): boolean {
  return !output.split('\n').some((line) => readNetperfLine(line).type === 'demo-mode-missing')
}
