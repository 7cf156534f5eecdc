/**
 * iperf3: its argv, and readers of its output.
 * From version 3.17 on it can print one JSON object per line while it runs. Older versions print JSON only at the end,
 * so their text is read: its bit rates in kbit/s are exact, its sizes have three digits.
 */
import type { StreamReader } from '../stream-reader.ts'
import { createIperf3JsonReader } from './json.ts'
import { createIperf3TextReader } from './text.ts'
import { isAtLeast } from '../versions.ts'

/** iperf3's own port. */
export const IPERF3_PORT = 5201

/** A server that ends after one test. */
export function iperf3ServerArgv(port: number): string[] {
  return ['iperf3', '-s', '-1', '-p', String(port), '--forceflush']
}

/** Does a server print this line once it listens? */
export function isListening(line: string): boolean {
  return line.startsWith('Server listening on ')
}

/** Does a server print this because its port is in use? */
export function isPortTaken(line: string): boolean {
  return line.startsWith('iperf3: error - unable to start listener') && line.includes('Address already in use')
}

export interface Iperf3Options {
  /** An address literal. */
  readonly address: string
  readonly port: number
  /** Whole seconds that are measured. */
  readonly seconds: number
  /** Whole seconds before them that are left out of the result. */
  readonly omitSeconds: number
  readonly intervalSeconds: number
  /** The version as iperf3 prints it. If it is null, the text output is read, which all versions print. */
  readonly version: string | null
}

function streamsJson(version: string | null): boolean {
  return version !== null && isAtLeast(version, 3, 17) === true
}

function greatestCommonDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestCommonDivisor(other, one % other)
}

/**
 * The argv of one client run: one stream from client to server. Rows have the requested length if it divides the
 * omitted time; otherwise they are shorter, because a row that crosses the end of the omitted time would be lost
 * (measured).
 */
export function iperf3ClientArgv(options: Iperf3Options): string[] {
  const { address, port, seconds, omitSeconds, intervalSeconds, version } = options
  const interval = greatestCommonDivisor(intervalSeconds, omitSeconds)
  const time = ['-t', String(seconds), '-O', String(omitSeconds), '-i', String(interval)]
  const output = streamsJson(version) ? ['--json-stream'] : ['-f', 'k']
  return ['iperf3', '-c', address, '-p', String(port), ...time, ...output, '--forceflush']
}

/** Reads the output of {@link iperf3ClientArgv}. */
export function createIperf3Reader({ version, omitSeconds }: Iperf3Options): StreamReader {
  return streamsJson(version) ? createIperf3JsonReader(omitSeconds) : createIperf3TextReader(omitSeconds)
}
