/**
 * iperf3: its argv, and readers of what it prints.
 *
 * From 3.17 on it can print one JSON object per line while it runs. Before that it prints JSON only at the end, so its
 * text is read: bit rates in kbit/s are exact there, sizes have three digits.
 */
import type { StreamReader } from '../stream-reader.ts'
import { createIperf3JsonReader } from './json.ts'
import { createIperf3TextReader } from './text.ts'
import { isAtLeast } from '../versions.ts'

/** iperf3's own port. */
export const IPERF3_PORT = 5201

/** A server for one test: it ends after it. */
export function iperf3ServerArgv(port: number): string[] {
  return ['iperf3', '-s', '-1', '-p', String(port), '--forceflush']
}

/** Is this the line that a server prints once it listens? */
export function isListening(line: string): boolean {
  return line.startsWith('Server listening on ')
}

/** Whether a server prints this because its port is taken. */
export function isPortTaken(line: string): boolean {
  return line.startsWith('iperf3: error - unable to start listener') && line.includes('Address already in use')
}

export interface Iperf3Options {
  /** An address literal. */
  readonly address: string
  readonly port: number
  /** Whole seconds that count. */
  readonly seconds: number
  /** Whole seconds before those, left out of the result. */
  readonly omitSeconds: number
  readonly intervalSeconds: number
  /** As iperf3 prints it; null if unknown: then its text is read, which every version prints. */
  readonly version: string | null
}

function streamsJson(version: string | null): boolean {
  return version !== null && isAtLeast(version, 3, 17) === true
}

function greatestCommonDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestCommonDivisor(other, one % other)
}

/**
 * The argv of one client run: one stream, client to server. Rows are as long as asked for where the time left out is a
 * whole number of them, else shorter: what was sent since the last row when that time ends is in no row (measured).
 */
export function iperf3ClientArgv(options: Iperf3Options): string[] {
  const { address, port, seconds, omitSeconds, intervalSeconds, version } = options
  const interval = greatestCommonDivisor(intervalSeconds, omitSeconds)
  const time = ['-t', String(seconds), '-O', String(omitSeconds), '-i', String(interval)]
  const output = streamsJson(version) ? ['--json-stream'] : ['-f', 'k']
  return ['iperf3', '-c', address, '-p', String(port), ...time, ...output, '--forceflush']
}

/** Reads what {@link iperf3ClientArgv} made it print. */
export function createIperf3Reader({ version, omitSeconds }: Iperf3Options): StreamReader {
  return streamsJson(version) ? createIperf3JsonReader(omitSeconds) : createIperf3TextReader(omitSeconds)
}
