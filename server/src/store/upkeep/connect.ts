/** Opens the database of a data directory that exists, for a command beside a server that may be running. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { LabError } from '@expresslane/shared/base/errors'
import { DATABASE } from '../file/damaged.ts'
import { Database } from '../file/database.ts'
import { requirePrivateDirectory } from '../file/private.ts'
import { openProblem } from '../file/problems.ts'
import { migrate } from '../migrate.ts'

/**
 * Creates nothing, and moves nothing aside.
 *
 * @throws LabError `not_found`, `data_exposed`, `data_corrupt`, `data_in_use`, or `config_invalid` when a newer version
 *   wrote the database
 */
export function connect(dataDir: string): Database {
  const file = join(dataDir, DATABASE)
  if (!existsSync(file)) {
    throw new LabError(
      'not_found',
      `${dataDir} holds no history.`,
      'Name the data directory in EXPRESSLANE_DATA, as for the server.',
    )
  }
  requirePrivateDirectory(dataDir)
  let db: Database | null = null
  try {
    db = new Database(file, dataDir)
    migrate(db)
    return db
  } catch (error) {
    db?.close()
    throw openProblem(dataDir, error)
  }
}
