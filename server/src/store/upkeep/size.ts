/** The contents of the store, and its size on the disk. */
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { epochMs, type EpochMs } from '@expresslane/shared/base/units'
import { z } from 'zod'
import { DATABASE, sizeOf } from '../file/damaged.ts'

const runsRow = z.object({ runs: z.number().int(), since: epochMs.nullable() })
const pagesRow = z.object({ pages: z.number().int(), free: z.number().int(), size: z.number().int() })
const countsRow = z.object({ events: z.number().int(), sessions: z.number().int(), recordings: z.number().int() })
const sessionRow = z.object({
  id: z.string(),
  labId: z.string(),
  runs: z.number().int(),
  events: z.number().int(),
  bytes: z.number().int(),
})

/** The figures that are quick to read, for the page. */
export interface Held {
  readonly runs: number
  /** When the oldest run started; null without runs. */
  readonly since: EpochMs | null
}

export function heldIn(db: DatabaseSync): Held {
  return runsRow.parse(db.prepare('SELECT count(*) AS runs, min(started_at) AS since FROM runs').get())
}

/** In bytes: the database's files. */
export function databaseSize(dataDir: string): number {
  return sizeOf(join(dataDir, DATABASE))
}

/** The free space on the disk with a directory, in bytes; null if the system does not say. */
export async function freeSpace(dataDir: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(dataDir)
    return bavail * bsize
  } catch {
    return null
  }
}

export interface Inventory extends Held {
  readonly events: number
  readonly sessions: number
  readonly recordings: number
  /** The bytes that the database could give back to the disk. */
  readonly reclaimable: number
  /** The sessions with the longest logs, the largest first. */
  readonly largest: readonly z.infer<typeof sessionRow>[]
}

const LARGEST = 5

/** Reads the whole log: for a command, not for a server. */
export function inventory(db: DatabaseSync): Inventory {
  const { free, size } = pagesRow.parse(
    db
      .prepare(
        `SELECT page_count AS pages, freelist_count AS free, page_size AS size
         FROM pragma_page_count, pragma_freelist_count, pragma_page_size`,
      )
      .get(),
  )
  const counts = countsRow.parse(
    db
      .prepare(
        `SELECT (SELECT count(*) FROM events) AS events, (SELECT count(*) FROM sessions) AS sessions,
           (SELECT count(*) FROM recordings) AS recordings`,
      )
      .get(),
  )
  const largest = db
    .prepare(
      `SELECT sessions.id, sessions.lab_id AS labId, count(DISTINCT runs.id) AS runs, count(*) AS events,
         sum(octet_length(event)) AS bytes
       FROM events JOIN runs ON runs.id = run_id JOIN sessions ON sessions.id = session_id
       GROUP BY sessions.id ORDER BY bytes DESC LIMIT ${LARGEST}`,
    )
    .all()
    .map((found) => sessionRow.parse(found))
  return { ...heldIn(db), ...counts, reclaimable: free * size, largest }
}
