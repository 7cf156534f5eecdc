/** The result that the reader of every stream tool returns. */
import type { BitsPerSecond, Bytes } from '@expresslane/shared/base/units'
import type { Ended } from './netperf/output.ts'

/** A row of a stream's live output. */
export interface StreamInterval {
  /** The end of its time, in seconds since the start of the stream. */
  readonly atSeconds: number
  readonly seconds: number
  readonly bitsPerSecond: BitsPerSecond
  /** Retransmitted segments in this time; null if the tool does not report them. */
  readonly retransmits: number | null
  /** The sender's congestion window at the end; null if the tool does not report it. */
  readonly cwnd: Bytes | null
  /** In the time at the start that the tool leaves out of its result. */
  readonly omitted: boolean
}

export interface StreamResult {
  /** Payload bytes that arrived in the measured time. */
  readonly throughput: BitsPerSecond
  /** The measured time, without the time that the tool leaves out. */
  readonly elapsedSeconds: number
  /** Segments that the client retransmitted in the measured time; null if the tool does not report them. */
  readonly retransmits: number | null
  /** Payload bytes of the whole stream, including the bytes that the tool leaves out. */
  readonly payloadBytes: number
}

export interface StreamReader {
  /** Reads a line. @returns an interval, if the line is one */
  read(line: string): StreamInterval | null
  /** The result, once the tool has ended. @throws LabError `tool_failed`, `tool_output_unreadable`, `netserver_unreachable` */
  finish(ended: Ended): StreamResult
}
