/** Reads iperf3's text, as versions before 3.17 print it while they run. */
import { bitsPerSecond, bytes, type BitsPerSecond } from '@expresslane/shared/base/units'
import { createWords, iperf3Failed, iperf3Unreadable } from './errors.ts'
import type { StreamInterval, StreamReader } from '../stream-reader.ts'

const KBIT = 1e3

/** `[  5]   0.00-1.00   sec  1.54 GBytes  13200002 Kbits/sec  565    543 KBytes       (omitted)` */
const row = new RegExp(
  [
    String.raw`^\[\s*\d+\]`,
    String.raw`(?<from>\d+\.\d+)-(?<to>\d+\.\d+)\s+sec`,
    String.raw`\d+(?:\.\d+)? [KMGT]?Bytes`,
    String.raw`(?<kbits>\d+(?:\.\d+)?) Kbits/sec`,
  ].join(String.raw`\s+`) +
    String.raw`(?:\s+(?<resent>\d+)(?:\s+(?<cwnd>\d+(?:\.\d+)?) (?<unit>[KMG]?)Bytes)?)?` +
    String.raw`\s*(?:(?<side>sender|receiver)|\((?<omitted>omitted)\))?\s*$`,
)

const unitBytes: Readonly<Record<string, number>> = { '': 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3 }

interface Row {
  readonly from: number
  readonly to: number
  readonly rate: BitsPerSecond
  readonly retransmits: number | null
  readonly cwnd: number | null
  readonly omitted: boolean
  /** The end's summary has one line per side. */
  readonly side: 'sender' | 'receiver' | null
}

function readRow(line: string): Row | null {
  const found = row.exec(line)?.groups
  if (found === undefined) return null
  const { from, to, kbits, resent, cwnd, unit = '', side, omitted } = found
  const rate = Number(kbits) * KBIT
  if (!Number.isFinite(rate)) return null
  return {
    from: Number(from),
    to: Number(to),
    rate: bitsPerSecond.parse(rate),
    retransmits: resent === undefined ? null : Number(resent),
    cwnd: cwnd === undefined ? null : Number(cwnd) * (unitBytes[unit] ?? 1),
    omitted: omitted !== undefined,
    side: side === 'sender' || side === 'receiver' ? side : null,
  }
}

/** @param omitSeconds the value of `-O`, after which iperf3's clock restarts */
export function createIperf3TextReader(omitSeconds: number): StreamReader {
  const words = createWords()
  const summary = new Map<'sender' | 'receiver', Row>()
  let payloadBytes = 0

  return {
    read(line): StreamInterval | null {
      words.add(line)
      const one = readRow(line)
      if (one === null) return null
      const { from, to, rate, retransmits, cwnd, omitted, side } = one
      const seconds = to - from
      if (side !== null) {
        summary.set(side, one)
        return null
      }
      payloadBytes += (rate * seconds) / 8
      // A last interval of zero length has no rate.
      if (seconds <= 0) return null
      return {
        atSeconds: to + (omitted ? 0 : omitSeconds),
        seconds,
        bitsPerSecond: rate,
        retransmits,
        cwnd: cwnd === null ? null : bytes.parse(Math.round(cwnd)),
        omitted,
      }
    },
    finish(ended) {
      const said = words.text()
      if (ended.code !== 0) throw iperf3Failed(ended, said)
      const sender = summary.get('sender')
      const receiver = summary.get('receiver')
      if (sender === undefined || receiver === undefined) throw iperf3Unreadable('its summary is missing', said)
      const elapsedSeconds = receiver.to - receiver.from
      if (elapsedSeconds <= 0) throw iperf3Unreadable('its summary covers no time', said)
      return { throughput: receiver.rate, elapsedSeconds, retransmits: sender.retransmits, payloadBytes }
    },
  }
}
