import { LabError } from '@expresslane/shared/wire/errors'
import type { z } from 'zod'

/**
 * Reads a JSON column through its schema: what is on disk is an edge like any other.
 *
 * @throws LabError `internal`, naming the row
 */
export function readJson<T>(schema: z.ZodType<T>, text: string, where: string): T {
  try {
    return schema.parse(JSON.parse(text))
  } catch (error) {
    throw new LabError(
      'internal',
      'A record in the database can not be read by this version.',
      'Point EXPRESSLANE_DATA at a new directory, and keep the old one for a report.',
      { detail: `${where}: ${error instanceof Error ? error.message : String(error)}`, cause: error },
    )
  }
}
