/** The common part of netperf's output in all tests: lines, fields and errors. */
import { LabError } from '@expresslane/shared/base/errors'

/** Lines of netperf's output that an error's detail keeps. */
const LINES_KEPT = 20

export type NetperfLine =
  /** In the units that the test reports. */
  | { readonly type: 'interim'; readonly index: number; readonly value: number }
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

/** Reads one line of netperf's stdout or stderr. It accepts any text. */
export function readNetperfLine(line: string): NetperfLine {
  const interim = interimLine.exec(line)
  if (interim !== null) {
    const index = Number(interim[2])
    const value = Number(interim[3])
    if (!Number.isFinite(value)) return { type: 'other' }
    if (interim[1] === 'INTERVAL') return { type: 'interval', index, seconds: value }
    return { type: 'interim', index, value }
  }
  const field = fieldLine.exec(line)
  if (field !== null) return { type: 'field', name: field[1] ?? '', value: field[2] ?? '' }
  if (line.includes(demoMissing)) return { type: 'demo-mode-missing' }
  if (connectFailures.some((words) => line.includes(words))) return { type: 'connect-failure' }
  return { type: 'other' }
}

/** How a command ended, as a testbed's `exec` reports it. */
export interface Ended {
  readonly code: number | null
  readonly signal: string | null
}

/** @param what the problem with the output */
export function unreadable(what: string, detail: string): LabError {
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
    'netperf found no netserver listening in the server pod.',
    'If the lab has a Deploy step, run it again. Then run this step again.',
    { detail },
  )
}

/** An interim result: the rate in the `seconds` before `atSeconds` after the start of the first interim result. */
export interface Interim {
  readonly atSeconds: number
  readonly seconds: number
  readonly value: number
}

export interface NetperfReader {
  /** Reads a line. @returns an interim result, if the line completes one */
  read(line: string): Interim | null
  /** To be called first when netperf has ended. @throws LabError `netserver_unreachable`, `tool_failed` */
  requireSuccess(ended: Ended): void
  text(name: string): string | null
  /** @throws LabError `tool_output_unreadable` */
  number(name: string): number
  /** @throws LabError `tool_output_unreadable` */
  notNegative(name: string): number
  /** Seconds that the test took. @throws LabError `tool_output_unreadable` */
  elapsedSeconds(): number
  /** Segments that the client retransmitted; null if netperf did not report them. */
  retransmits(): number | null
  /** Its last lines. */
  words(): string
}

/** Reads one run, line by line. */
export function createNetperfReader(): NetperfReader {
  const fields = new Map<string, string>()
  const words: string[] = []
  let pending: Extract<NetperfLine, { type: 'interim' }> | null = null
  let atSeconds = 0
  let connectFailed = false

  function number(name: string): number {
    const text = fields.get(name)
    if (text === undefined) throw unreadable(`${name} is missing`, words.join('\n'))
    const value = /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
    if (!Number.isFinite(value)) throw unreadable(`${name} is not a number`, `${name}=${text}`)
    return value
  }

  return {
    read(line) {
      const parsed = readNetperfLine(line)
      words.push(line)
      if (words.length > LINES_KEPT) words.shift()
      if (parsed.type === 'field') fields.set(parsed.name, parsed.value)
      if (parsed.type === 'connect-failure') connectFailed = true
      if (parsed.type === 'interim') pending = parsed
      if (parsed.type !== 'interval' || pending?.index !== parsed.index) return null
      const { seconds } = parsed
      const { value } = pending
      pending = null
      atSeconds += seconds
      return { atSeconds, seconds, value }
    },
    requireSuccess(ended) {
      const detail = words.join('\n')
      if (connectFailed) throw unreachable(detail)
      if (ended.code !== 0) throw failure(ended, detail)
    },
    text: (name) => fields.get(name) ?? null,
    number,
    notNegative(name) {
      const value = number(name)
      if (value < 0) throw unreadable(`${name} is negative`, `${name}=${value}`)
      return value
    },
    elapsedSeconds() {
      const seconds = number('ELAPSED_TIME')
      if (seconds <= 0) throw unreadable('ELAPSED_TIME is not positive', words.join('\n'))
      return seconds
    },
    retransmits() {
      const resent = fields.has('LOCAL_TRANSPORT_RETRANS') ? number('LOCAL_TRANSPORT_RETRANS') : -1
      return resent >= 0 ? resent : null
    },
    words: () => words.join('\n'),
  }
}
