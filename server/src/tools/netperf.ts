/**
 * netperf's TCP_RR: its argv, and a reader of what it prints.
 *
 * `-k` makes it print NAME=value lines, `-D` interim results as it goes; netperf flushes each
 * line, so they arrive live through a pipe too.
 */
import { LabError } from '@expresslane/shared/errors'
import type { Latency } from '@expresslane/shared/measurement'
import type { Sample } from '@expresslane/shared/run-state'
import {
  microseconds,
  transactionsPerSecond,
  type Bytes,
  type Microseconds,
  type TransactionsPerSecond,
} from '@expresslane/shared/units'

/** Seconds between interim results. */
const INTERIM_SECONDS = 0.2

/** What netperf's own words are cut to when they become an error's detail. */
const LINES_KEPT = 20

const latencySelectors = {
  min: 'MIN_LATENCY',
  mean: 'MEAN_LATENCY',
  p50: 'P50_LATENCY',
  p90: 'P90_LATENCY',
  p99: 'P99_LATENCY',
  max: 'MAX_LATENCY',
  stddev: 'STDDEV_LATENCY',
} as const satisfies Record<keyof Latency, string>

const selectors = [
  ...Object.values(latencySelectors),
  'THROUGHPUT',
  'THROUGHPUT_UNITS',
  'LOCAL_CPU_UTIL',
  'REMOTE_CPU_UTIL',
  'LOCAL_TRANSPORT_RETRANS',
  'ELAPSED_TIME',
] as const

export interface TcpRrOptions {
  /** An address literal: netperf's own name resolution fails in a namespace without DNS. */
  readonly address: string
  /** Whole seconds. */
  readonly seconds: number
  readonly requestBytes: Bytes
  readonly responseBytes: Bytes
}

/** The argv of one TCP_RR run. netperf splits `-r` at a comma only. */
export function tcpRrArgv({ address, seconds, requestBytes, responseBytes }: TcpRrOptions): string[] {
  const test = ['-H', address, '-t', 'TCP_RR', '-l', String(seconds), '-D', String(INTERIM_SECONDS), '-P', '0']
  return ['netperf', ...test, '--', '-r', `${requestBytes},${responseBytes}`, '-k', selectors.join(',')]
}

export type NetperfLine =
  | { readonly type: 'interim'; readonly index: number; readonly tps: TransactionsPerSecond }
  /** The seconds that interim result `index` covers. */
  | { readonly type: 'interval'; readonly index: number; readonly seconds: number }
  | { readonly type: 'field'; readonly name: string; readonly value: string }
  | { readonly type: 'demo-mode-missing' }
  | { readonly type: 'connect-failure' }
  | { readonly type: 'other' }

const interimLine = /^NETPERF_(INTERIM_RESULT|INTERVAL)\[(\d{1,9})\]=(\d+(?:\.\d+)?)$/
const fieldLine = /^([A-Z][A-Z0-9_]*)=(.*)$/
const demoMissing = 'Sorry, Demo Mode not configured into this netperf'
const connectFailures = ['are you sure there is a netserver listening', 'could not establish the control connection']

/** Reads one line of netperf's stdout or stderr; any text is read, none throws. */
export function readNetperfLine(line: string): NetperfLine {
  const interim = interimLine.exec(line)
  if (interim !== null) {
    const index = Number(interim[2])
    const value = Number(interim[3])
    if (!Number.isFinite(value)) return { type: 'other' }
    if (interim[1] === 'INTERVAL') return { type: 'interval', index, seconds: value }
    return { type: 'interim', index, tps: transactionsPerSecond.parse(value) }
  }
  const field = fieldLine.exec(line)
  if (field !== null) return { type: 'field', name: field[1] ?? '', value: field[2] ?? '' }
  if (line.includes(demoMissing)) return { type: 'demo-mode-missing' }
  if (connectFailures.some((words) => line.includes(words))) return { type: 'connect-failure' }
  return { type: 'other' }
}

export interface TcpRrResult {
  readonly tps: TransactionsPerSecond
  readonly latency: Latency
  readonly elapsedSeconds: number
  /** Segments that the client sent again; null when netperf did not say. */
  readonly retransmits: number | null
}

/** How a command ended, as a testbed's `exec` tells it. */
export interface Ended {
  readonly code: number | null
  readonly signal: string | null
}

export interface TcpRrReader {
  /** Takes a line; returns a sample when the line completes one. */
  read(line: string): Sample | null
  /**
   * The result, once netperf has ended.
   *
   * @throws LabError `netserver_unreachable`, `tool_failed`, `tool_output_unreadable`
   */
  finish(ended: Ended): TcpRrResult
}

function unreadable(what: string, detail: string): LabError {
  return new LabError(
    'tool_output_unreadable',
    `netperf's output could not be read: ${what}.`,
    'Run the step again; if it happens again, compare the output with what netperf 2.7 prints.',
    { detail },
  )
}

function failure(ended: Ended, detail: string): LabError {
  const how = ended.code === null ? `was ended by ${ended.signal ?? 'a signal'}` : `failed with exit code ${ended.code}`
  return new LabError('tool_failed', `netperf ${how}.`, 'Read its output, then run the step again.', { detail })
}

function unreachable(detail: string): LabError {
  return new LabError(
    'netserver_unreachable',
    'netperf found no netserver listening at the server pod.',
    'Deploy the pods again: that starts a new netserver.',
    { detail },
  )
}

/** Reads one TCP_RR run, line by line; samples tell seconds since the run's own start. */
export function createTcpRrReader(): TcpRrReader {
  const fields = new Map<string, string>()
  const words: string[] = []
  let pending: Extract<NetperfLine, { type: 'interim' }> | null = null
  let atSeconds = 0
  let connectFailed = false

  function number(name: string): number {
    const text = fields.get(name)
    if (text === undefined) throw unreadable(`${name} is missing`, words.join('\n'))
    const value = /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
    if (!Number.isFinite(value)) throw unreadable(`${name} is no number`, `${name}=${text}`)
    return value
  }

  function notNegative(name: string): number {
    const value = number(name)
    if (value < 0) throw unreadable(`${name} is negative`, `${name}=${value}`)
    return value
  }

  function latencyOf(name: keyof Latency): Microseconds {
    return microseconds.parse(notNegative(latencySelectors[name]))
  }

  function read(line: string): Sample | null {
    const parsed = readNetperfLine(line)
    words.push(line)
    if (words.length > LINES_KEPT) words.shift()
    if (parsed.type === 'field') fields.set(parsed.name, parsed.value)
    if (parsed.type === 'connect-failure') connectFailed = true
    if (parsed.type === 'interim') pending = parsed
    if (parsed.type !== 'interval' || pending?.index !== parsed.index) return null
    atSeconds += parsed.seconds
    const sample = { atSeconds, tps: pending.tps }
    pending = null
    return sample
  }

  function finish(ended: Ended): TcpRrResult {
    const detail = words.join('\n')
    if (connectFailed) throw unreachable(detail)
    if (ended.code !== 0) throw failure(ended, detail)
    const tps = transactionsPerSecond.parse(notNegative('THROUGHPUT'))
    if (fields.get('THROUGHPUT_UNITS') !== 'Trans/s') throw unreadable('THROUGHPUT is not in transactions/s', detail)
    const elapsedSeconds = number('ELAPSED_TIME')
    if (elapsedSeconds <= 0) throw unreadable('ELAPSED_TIME is not positive', detail)
    const latency = {
      min: latencyOf('min'),
      mean: latencyOf('mean'),
      p50: latencyOf('p50'),
      p90: latencyOf('p90'),
      p99: latencyOf('p99'),
      max: latencyOf('max'),
      stddev: latencyOf('stddev'),
    }
    const resent = fields.has('LOCAL_TRANSPORT_RETRANS') ? number('LOCAL_TRANSPORT_RETRANS') : -1
    return { tps, latency, elapsedSeconds, retransmits: resent >= 0 ? resent : null }
  }

  return { read, finish }
}

/**
 * The cheapest true probe of a netperf: it reads `-D` before `-V`, so a build without demo
 * mode apologises for it here, and no test is run.
 */
export const netperfProbeArgv: readonly string[] = ['netperf', '-D', String(INTERIM_SECONDS), '-V']

/** Does the output of {@link netperfProbeArgv} come from a build with demo mode? */
export function hasDemoMode(output: string): boolean {
  return !output.split('\n').some((line) => readNetperfLine(line).type === 'demo-mode-missing')
}
