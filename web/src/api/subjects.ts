/** The latest message about each node or pod that a run waits for. Pure. */
import type { RunEvent } from '@expresslane/shared/run/events'

export interface SubjectLine {
  readonly subject: string
  readonly message: string
}

/**
 * Each subject keeps its line, in the order of their first messages, so that nothing jumps. A message about the run as a
 * whole removes the lines.
 */
export function withProgress(
  lines: readonly SubjectLine[],
  { subject, message }: Pick<Extract<RunEvent, { type: 'progress' }>, 'subject' | 'message'>,
): readonly SubjectLine[] {
  if (subject === null) return []
  const line = { subject, message }
  if (!lines.some((one) => one.subject === subject)) return [...lines, line]
  return lines.map((one) => (one.subject === subject ? line : one))
}
