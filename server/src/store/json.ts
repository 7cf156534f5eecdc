import { LabError } from '@expresslane/shared/base/errors'
import type { z } from 'zod'

/**
 * Reads a JSON column through its schema, since data on disk is not trusted.
 *
 * @throws LabError `internal`, naming the row
 */
export function readJson<T>(schema: z.ZodType<T>, text: string, where: string): T {
  try {
    return schema.parse(JSON.parse(text))
  } catch (error) {
    throw new LabError(
      'internal',
      'This version can’t read a record in the database.',
      'Set EXPRESSLANE_DATA to a new directory. Keep the old one for a bug report.',
      { detail: `${where}: ${error instanceof Error ? error.message : String(error)}`, cause: error },
    )
  }
}
