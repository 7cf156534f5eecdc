/** The store: one SQLite database in the data directory, shared by the server and headless runs. */
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { LabError } from '@expresslane/shared/wire/errors'
import { createContexts, type Contexts } from './contexts.ts'
import { createEvents, type Events } from './events.ts'
import { createHolds, type Holds } from './holds.ts'
import { migrate } from './migrate.ts'
import { ownerOf } from './owner.ts'
import { createPresentations, type Presentations } from './presentations.ts'
import { createAudit, type Audit } from './people/audit.ts'
import { createInvitations, type Invitations } from './people/invitations.ts'
import { createPrincipals, type Principals } from './people/principals.ts'
import { createProfiles, type Profiles } from './profiles.ts'
import { createQueueState, type QueueState } from './queue.ts'
import { createRecordings, type Recordings } from './recordings.ts'
import { createRuns, type Runs } from './runs.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { createSnapshots, type Snapshots } from './snapshots.ts'
import { createPrivate, requirePrivateDirectory } from './file/private.ts'
import { createWalks, type Walks } from './walks.ts'
import { inTransaction } from './transaction.ts'

export interface Store {
  readonly sessions: Sessions
  readonly runs: Runs
  readonly walks: Walks
  readonly holds: Holds
  readonly queue: QueueState
  readonly events: Events
  readonly snapshots: Snapshots
  readonly contexts: Contexts
  readonly profiles: Profiles
  readonly recordings: Recordings
  readonly presentations: Presentations
  readonly principals: Principals
  readonly invitations: Invitations
  readonly audit: Audit
  /** This process, as named in the rows of its runs. */
  readonly owner: string
  /** Commits all of `work`, or nothing. Transactions can't be nested. */
  transaction<T>(work: () => T): T
  close(): void
}

const DATABASE = 'expresslane.db'
const BUSY_TIMEOUT_MS = 5000

function sqliteCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error)) return null
  return typeof error.errcode === 'number' ? error.errcode : null
}

function openError(dataDir: string, error: unknown): LabError {
  if (error instanceof LabError) return error
  const detail = error instanceof Error ? error.message : String(error)
  const SQLITE_BUSY = 5
  if (sqliteCode(error) === SQLITE_BUSY) {
    return new LabError(
      'data_in_use',
      `Another program has locked the database in ${dataDir}.`,
      'Stop the other program, or set EXPRESSLANE_DATA to a separate directory for this one.',
      { detail, cause: error },
    )
  }
  return new LabError(
    'data_unwritable',
    `Expresslane can't write its data to ${dataDir}.`,
    'Make the directory writable, or set EXPRESSLANE_DATA to another directory.',
    { detail, cause: error, remedyCommand: 'EXPRESSLANE_DATA=$HOME/expresslane npm start' },
  )
}

/**
 * Creates the data directory if it is missing. Only its owner can read it.
 *
 * @throws LabError `data_unwritable`, `data_exposed`
 */
function makeDataDir(dataDir: string): void {
  try {
    if (mkdirSync(dataDir, { recursive: true, mode: 0o700 }) !== undefined) chmodSync(dataDir, 0o700)
    requirePrivateDirectory(dataDir)
  } catch (error) {
    throw openError(dataDir, error)
  }
}

/**
 * Opens the store, creates it if it is missing, and upgrades its schema.
 *
 * @param owner the process that performs the runs of this store
 * @throws LabError `data_unwritable`, `data_in_use`, or `config_invalid` when a newer version wrote the database
 */
export function openStore(dataDir: string, owner = ownerOf(process.pid)): Store {
  makeDataDir(dataDir)
  let db: DatabaseSync | null = null
  try {
    createPrivate(join(dataDir, DATABASE))
    const opened = new DatabaseSync(join(dataDir, DATABASE), {
      enableForeignKeyConstraints: true,
      timeout: BUSY_TIMEOUT_MS,
    })
    db = opened
    // NORMAL: a process crash loses nothing; a power failure can lose the last commits but does not damage the file.
    opened.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    migrate(opened)
    return {
      sessions: createSessions(opened),
      runs: createRuns(opened),
      walks: createWalks(opened),
      holds: createHolds(opened),
      queue: createQueueState(opened),
      events: createEvents(opened),
      snapshots: createSnapshots(opened),
      contexts: createContexts(opened),
      profiles: createProfiles(opened),
      recordings: createRecordings(opened),
      presentations: createPresentations(opened),
      principals: createPrincipals(opened),
      invitations: createInvitations(opened),
      audit: createAudit(opened),
      owner,
      transaction: (work) => inTransaction(opened, work),
      close() {
        if (opened.isOpen) opened.close()
      },
    }
  } catch (error) {
    db?.close()
    throw openError(dataDir, error)
  }
}
