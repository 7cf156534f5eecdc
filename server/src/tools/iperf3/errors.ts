/** Errors of iperf3, with its output. */
import { LabError } from '@expresslane/shared/base/errors'
import type { Ended } from '../netperf/output.ts'

/** Lines of iperf3's output that an error's detail keeps. */
const LINES_KEPT = 20
const DETAIL_KEPT = 4_000

/** A tool's last lines. */
export interface Words {
  add(line: string): void
  text(): string
}

export function createWords(): Words {
  const lines: string[] = []
  return {
    add(line) {
      lines.push(line)
      if (lines.length > LINES_KEPT) lines.shift()
    },
    text: () => lines.join('\n').slice(-DETAIL_KEPT),
  }
}

/** @param words its output @param side which iperf3 */
export function iperf3Failed(ended: Ended, words: string, side: 'client' | 'server' = 'client'): LabError {
  const how = ended.code === null ? `was ended by ${ended.signal ?? 'a signal'}` : `failed with exit code ${ended.code}`
  return new LabError('tool_failed', `The iperf3 ${side} ${how}.`, 'Read its output, then run the step again.', {
    detail: words,
  })
}

/** @param what the problem with its output */
export function iperf3Unreadable(what: string, words: string): LabError {
  return new LabError(
    'tool_output_unreadable',
    `iperf3's output could not be read: ${what}.`,
    'Run the step again; if it happens again, compare the output with what iperf3 3.12 or 3.18 prints.',
    { detail: words },
  )
}
