/** Upgrades a database's schema with numbered SQL files. */
import { readdirSync, readFileSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { LabError } from '@expresslane/shared/base/errors'
import { formatTestbedId } from '@expresslane/shared/testbed/id'
import { testbedKind } from '@expresslane/shared/testbed/testbed'
import { z } from 'zod'
import { inTransaction } from './transaction.ts'

const folder = new URL('./migrations/', import.meta.url)
const versionRow = z.object({ user_version: z.number().int() })

function versionOf(db: DatabaseSync): number {
  return versionRow.parse(db.prepare('PRAGMA user_version').get()).user_version
}

/** Defines the SQL function `testbed_id(kind, context)`, which migrations use. */
function defineFunctions(db: DatabaseSync): void {
  db.function('testbed_id', { deterministic: true }, (kind, context) =>
    formatTestbedId({ kind: testbedKind.parse(kind), context: z.string().nullable().parse(context), owner: null }),
  )
}

/**
 * Applies the missing migrations in order; `user_version` counts them. The version is read inside the write
 * transaction, so two processes can open a new database at the same time.
 *
 * @throws LabError `config_invalid` when a newer Expresslane wrote the database
 */
export function migrate(db: DatabaseSync): void {
  const files = readdirSync(folder)
    .filter((name) => /^\d{4}-.+\.sql$/.test(name))
    .toSorted()
  if (versionOf(db) === files.length) return
  defineFunctions(db)
  inTransaction(db, () => {
    const version = versionOf(db)
    if (version > files.length) {
      throw new LabError(
        'config_invalid',
        'A newer version of Expresslane wrote this data directory.',
        'Update Expresslane, or set EXPRESSLANE_DATA to another directory.',
        { detail: `schema version ${version}; this version supports up to ${files.length}` },
      )
    }
    for (const file of files.slice(version)) db.exec(readFileSync(new URL(file, folder), 'utf8'))
    db.exec(`PRAGMA user_version = ${files.length}`)
  })
}
