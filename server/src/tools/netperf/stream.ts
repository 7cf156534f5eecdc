/** netperf's TCP_STREAM: its argv, and a reader of its output. */
import { bitsPerSecond, type BitsPerSecond } from '@expresslane/shared/base/units'
import { createNetperfReader, unreadable } from './output.ts'
import type { StreamInterval, StreamReader } from '../stream-reader.ts'

/** `-f m` makes netperf report in these, interim results too. */
const UNITS = '10^6bits/s'
const BITS_A_UNIT = 1e6

const selectors = ['THROUGHPUT', 'THROUGHPUT_UNITS', 'REMOTE_BYTES_RECVD', 'LOCAL_TRANSPORT_RETRANS', 'ELAPSED_TIME']

export interface TcpStreamOptions {
  /** An address literal. */
  readonly address: string
  /** Whole seconds. */
  readonly seconds: number
  readonly intervalSeconds: number
}

/** The argv of one TCP_STREAM run. */
export function tcpStreamArgv({ address, seconds, intervalSeconds }: TcpStreamOptions): string[] {
  const test = ['-H', address, '-t', 'TCP_STREAM', '-l', String(seconds), '-D', String(intervalSeconds)]
  return ['netperf', ...test, '-f', 'm', '-P', '0', '--', '-k', selectors.join(',')]
}

function rate(value: number): BitsPerSecond {
  return bitsPerSecond.parse(value * BITS_A_UNIT)
}

/** Reads one TCP_STREAM run; netperf reports neither retransmits nor the window of an interval. */
export function createTcpStreamReader(): StreamReader {
  const netperf = createNetperfReader()
  return {
    read(line): StreamInterval | null {
      const interim = netperf.read(line)
      if (interim === null) return null
      const { atSeconds, seconds, value } = interim
      if (seconds <= 0) return null
      return { atSeconds, seconds, bitsPerSecond: rate(value), retransmits: null, cwnd: null, omitted: false }
    },
    finish(ended) {
      netperf.requireSuccess(ended)
      if (netperf.text('THROUGHPUT_UNITS') !== UNITS) throw unreadable(`THROUGHPUT is not in ${UNITS}`, netperf.words())
      return {
        throughput: rate(netperf.notNegative('THROUGHPUT')),
        elapsedSeconds: netperf.elapsedSeconds(),
        retransmits: netperf.retransmits(),
        payloadBytes: netperf.notNegative('REMOTE_BYTES_RECVD'),
      }
    },
  }
}
