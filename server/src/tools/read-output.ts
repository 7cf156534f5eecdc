/** Reads what a tool printed. */
import { LabError } from '@expresslane/shared/base/errors'
import type { z } from 'zod'

/** How the error calls an output that can't be read, and what helps. */
export interface Described {
  readonly name: string
  readonly remedy: string
}

/** The error for an output that can't be read. */
export function unreadable({ name, remedy }: Described, text: string, cause?: unknown): LabError {
  const detail = text.slice(0, 500)
  return new LabError('tool_output_unreadable', `${name} could not be read.`, remedy, { detail, cause })
}

/** Reads JSON. @throws LabError `tool_output_unreadable` when it is truncated or not as the schema says */
export function readOutput<T>(schema: z.ZodType<T>, text: string, described: Described): T {
  try {
    return schema.parse(JSON.parse(text))
  } catch (error) {
    throw unreadable(described, text, error)
  }
}
