/** The latest message about each node or pod that a run waits for. Pure. */
import type { RunEvent } from '@expresslane/shared/run/events'

export interface SubjectLine {
  readonly subject: string
  readonly message: string
}

/**
 * Subjects keep the order of their first messages, so that lines do not move. A message about the whole run removes all
 * lines.
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
