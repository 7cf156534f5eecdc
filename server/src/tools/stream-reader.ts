/** The result that the reader of every stream tool returns. */
import type { BitsPerSecond, Bytes } from '@expresslane/shared/measure/units'
import type { Ended } from './netperf/output.ts'

/** One row of a stream's live output. */
export interface StreamInterval {
  /** Seconds since the stream's start at which it ended. */
  readonly atSeconds: number
  readonly seconds: number
  readonly bitsPerSecond: BitsPerSecond
  /** Segments sent again in it; null when the tool does not say. */
  readonly retransmits: number | null
  /** The sender's congestion window at its end; null when the tool does not say. */
  readonly cwnd: Bytes | null
  /** In the warm-up that the tool leaves out of its result. */
  readonly omitted: boolean
}

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
