import type { DatabaseSync } from 'node:sqlite'
import { runId, type RunId } from '@expresslane/shared/run/events'
import { z } from 'zod'
import { query } from './columns.ts'
import { resource, type Resource } from '../testbeds/resources.ts'

const row = z.object({ resource, run_id: runId })

/** The runs that hold resources. The database allows one holder per resource. */
export interface Holds {
  all(): ReadonlyMap<Resource, RunId>
  /** The holders of some resources. */
  among(resources: readonly Resource[]): ReadonlyMap<Resource, RunId>
  of(run: RunId): Resource[]
  /** Adds to the run's resources. @throws Error when another run holds one of them */
  take(run: RunId, resources: readonly Resource[]): void
  release(run: RunId): void
}

export function createHolds(db: DatabaseSync): Holds {
  const every = query(db, 'SELECT * FROM holds', row)
  const some = query(db, 'SELECT * FROM holds WHERE resource IN (SELECT value FROM json_each(?))', row)
  const byRun = query(db, 'SELECT * FROM holds WHERE run_id = ?', row)
  const insert = db.prepare('INSERT INTO holds (resource, run_id) VALUES (?, ?)')
  const remove = db.prepare('DELETE FROM holds WHERE run_id = ?')
  const of = (run: RunId): Resource[] => byRun.all(run).map((one) => one.resource)
  const mapOf = (rows: readonly z.infer<typeof row>[]) => new Map(rows.map((one) => [one.resource, one.run_id]))
  return {
    all: () => mapOf(every.all()),
    among: (resources) => mapOf(some.all(JSON.stringify(resources))),
    of,
    take(run, resources) {
      const held = new Set(of(run))
      for (const one of resources) if (!held.has(one)) insert.run(one, run)
    },
    release(run) {
      remove.run(run)
    },
  }
}
