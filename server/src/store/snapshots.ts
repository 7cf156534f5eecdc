import type { DatabaseSync } from 'node:sqlite'
import { familySetting, type FamilySetting } from '@expresslane/shared/testbed/reading'
import type { TestbedId } from '@expresslane/shared/testbed/id'
import type { EpochMs } from '@expresslane/shared/measure/units'
import { z } from 'zod'
import { readJson } from './json.ts'

const row = z.object({ setting: z.string() })

/**
 * The settings that each testbed had before they were first changed. Keyed by incarnation too: what a
 * testbed had before it was built anew says nothing about it now.
 */
export interface Snapshots {
  read(testbed: TestbedId, incarnation: string): FamilySetting | null
  /** Keeps `setting` unless one is kept already. */
  keep(testbed: TestbedId, incarnation: string, setting: FamilySetting, at: EpochMs): void
  clear(testbed: TestbedId, incarnation: string): void
}

export function createSnapshots(db: DatabaseSync): Snapshots {
  const select = db.prepare('SELECT setting FROM snapshots WHERE testbed = ? AND incarnation = ?')
  const insert = db.prepare(
    'INSERT INTO snapshots (testbed, incarnation, setting, at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  )
  const remove = db.prepare('DELETE FROM snapshots WHERE testbed = ? AND incarnation = ?')
  return {
    read(testbed, incarnation) {
      const found = select.get(testbed, incarnation)
      if (found === undefined) return null
      return readJson(familySetting, row.parse(found).setting, `snapshot of ${testbed}`)
    },
    keep(testbed, incarnation, setting, at) {
      insert.run(testbed, incarnation, JSON.stringify(setting), at)
    },
    clear(testbed, incarnation) {
      remove.run(testbed, incarnation)
    },
  }
}
