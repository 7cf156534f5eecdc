import type { DatabaseSync } from 'node:sqlite'
import { settings as settingsSchema, type Settings } from '@expresslane/shared/base/settings'
import type { TestbedId } from '@expresslane/shared/testbed/id'
import type { EpochMs } from '@expresslane/shared/base/units'
import { z } from 'zod'
import { query } from './columns.ts'
import { readJson } from './json.ts'

const row = z.object({ settings: z.string() })

/**
 * The settings that each testbed had before the first change. The key includes the incarnation, because settings from
 * before a testbed was rebuilt no longer apply.
 */
export interface Snapshots {
  read(testbed: TestbedId, incarnation: string): Settings | null
  /** Stores these settings, unless a snapshot exists already. */
  keep(testbed: TestbedId, incarnation: string, settings: Settings, at: EpochMs): void
  clear(testbed: TestbedId, incarnation: string): void
}

export function createSnapshots(db: DatabaseSync): Snapshots {
  const kept = query(db, 'SELECT settings FROM snapshots WHERE testbed = ? AND incarnation = ?', row)
  const insert = db.prepare(
    'INSERT INTO snapshots (testbed, incarnation, settings, at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  )
  const remove = db.prepare('DELETE FROM snapshots WHERE testbed = ? AND incarnation = ?')
  return {
    read(testbed, incarnation) {
      const found = kept.one(testbed, incarnation)
      return found === null ? null : readJson(settingsSchema, found.settings, `snapshot of ${testbed}`)
    },
    keep(testbed, incarnation, settings, at) {
      insert.run(testbed, incarnation, JSON.stringify(settings), at)
    },
    clear(testbed, incarnation) {
      remove.run(testbed, incarnation)
    },
  }
}
