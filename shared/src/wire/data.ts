/** The data directory as the page sees it. */
import { z } from 'zod'
import { epochMs } from '../base/units.ts'
import { problem } from '../base/errors.ts'
import type { Route } from './route.ts'

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
  /** When the oldest sessions are removed. */
  keep: z.strictObject({
    /** Sessions that were not used for so many days are removed; null: age removes none. */
    days: z.number().int().positive().nullable(),
    /** While the history takes more than so many bytes; null: none for its size. */
    bytes: z.number().int().positive().nullable(),
    /** A session that was used within so many days stays whatever the size. */
    recentDays: z.number().int().positive(),
    /** The first removal comes after this time. */
    beginsAt: epochMs,
  }),
  /** Newest first. */
  damaged: z.array(movedAside).readonly(),
  /** Why nothing can be stored now; null if it can. */
  problem: problem.nullable(),
})
export type DataResponse = z.infer<typeof dataResponse>

export const readData = { at: 'GET /api/data', response: dataResponse } satisfies Route
