/** The data directory as the page sees it. */
import { z } from 'zod'
import { epochMs } from '../measure/units.ts'
import { problem } from './errors.ts'

/** A damaged database that was moved aside. */
export const movedAside = z.strictObject({
  file: z.string(),
  at: epochMs,
  bytes: z.number().int().nonnegative(),
})
export type MovedAside = z.infer<typeof movedAside>

/** `GET /api/data`. */
export const dataResponse = z.strictObject({
  directory: z.string(),
  /** The size of the database's files. */
  bytes: z.number().int().nonnegative(),
  /** The free space on its disk; null if the system does not say. */
  freeBytes: z.number().int().nonnegative().nullable(),
  runs: z.number().int().nonnegative(),
  /** When the oldest run started; null without runs. */
  since: epochMs.nullable(),
  /** Newest first. */
  damaged: z.array(movedAside).readonly(),
  /** Why nothing can be stored now; null if it can. */
  problem: problem.nullable(),
})
export type DataResponse = z.infer<typeof dataResponse>
