/** How iperf3 fails, in its own words. */
import { LabError } from '@expresslane/shared/wire/errors'
import type { Ended } from './netperf-output.ts'

/** What iperf3's own words are cut to when they become an error's detail. */
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

/** @param words what it printed; @param side which iperf3 */
export function iperf3Failed(ended: Ended, words: string, side: 'client' | 'server' = 'client'): LabError {
  const how = ended.code === null ? `was ended by ${ended.signal ?? 'a signal'}` : `failed with exit code ${ended.code}`
  return new LabError('tool_failed', `The iperf3 ${side} ${how}.`, 'Read its output, then run the step again.', {
    detail: words,
  })
}

/** @param what what is wrong with its output */
export function iperf3Unreadable(what: string, words: string): LabError {
  return new LabError(
    'tool_output_unreadable',
    `iperf3's output could not be read: ${what}.`,
    'Run the step again; if it happens again, compare the output with what iperf3 3.12 or 3.18 prints.',
    { detail: words },
  )
}
