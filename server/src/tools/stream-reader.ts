/** What every stream tool's reader gives, whatever it prints. */
import type { StreamInterval } from '@expresslane/shared/run/events'
import type { BitsPerSecond } from '@expresslane/shared/measure/units'
import type { Ended } from './netperf-output.ts'

export interface StreamResult {
  /** Payload that arrived, in the time that counts. */
  readonly throughput: BitsPerSecond
  /** The time that counts: without what the tool left out. */
  readonly elapsedSeconds: number
  /** Segments that the client sent again in that time; null when the tool does not say. */
  readonly retransmits: number | null
  /** Payload of the whole stream, what the tool left out included. */
  readonly payloadBytes: number
}

export interface StreamReader {
  /** Takes a line; returns an interval when the line is one. */
  read(line: string): StreamInterval | null
  /** The result, once the tool has ended. @throws LabError `tool_failed`, `tool_output_unreadable`, `netserver_unreachable` */
  finish(ended: Ended): StreamResult
}
