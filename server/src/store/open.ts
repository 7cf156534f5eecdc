/** The store: one SQLite database in the data directory, shared by the server and headless runs. */
import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { MovedAside } from '@expresslane/shared/wire/data'
import type { LabError } from '@expresslane/shared/base/errors'
import { createContexts, type Contexts } from './contexts.ts'
import { createEvents, type Events } from './events.ts'
import { createHands, type Hands } from './hands.ts'
import { createHolds, type Holds } from './holds.ts'
import { migrate } from './migrate.ts'
import { ownerOf } from './owner.ts'
import { createPresentations, type Presentations } from './presentations.ts'
import { createAudit, type Audit } from './people/audit.ts'
import { createInvitations, type Invitations } from './people/invitations.ts'
import { createLaunches, type Launches } from './people/launches.ts'
import { createPrincipals, type Principals, type Waiting } from './people/principals.ts'
import { createRevocations, type Revocations } from './people/revocations.ts'
import { createProfiles, type Profiles } from './profiles.ts'
import { createQueueState, type QueueState } from './queue.ts'
import { createRecordings, type Recordings } from './recordings.ts'
import { createRuns, type Runs } from './runs.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { createSnapshots, type Snapshots } from './snapshots.ts'
import { clearSuspicion, DATABASE, inodeOf, isSound, isSuspect, moveAside, movedAside } from './file/damaged.ts'
import { Database } from './file/database.ts'
import { createHealth, isFree, type Health } from './file/health.ts'
import { createPrivate, requirePrivateDirectory } from './file/private.ts'
import { damaged, openProblem } from './file/problems.ts'
import { createReserve } from './file/reserve.ts'
import { inTransaction } from './transaction.ts'
import { createRetention, type Retention } from './upkeep/retention.ts'
import { heldIn, type Held } from './upkeep/size.ts'

export interface Store {
  readonly sessions: Sessions
  readonly runs: Runs
  readonly holds: Holds
  readonly queue: QueueState
  readonly events: Events
  readonly snapshots: Snapshots
  readonly contexts: Contexts
  readonly profiles: Profiles
  readonly recordings: Recordings
  readonly presentations: Presentations
  readonly hands: Hands
  readonly principals: Principals
  readonly invitations: Invitations
  readonly revocations: Revocations
  readonly launches: Launches
  readonly audit: Audit
  readonly retention: Retention
  /** This process, as named in the rows of its runs. */
  readonly owner: string
  /** Commits all of `work`, or nothing. Transactions can't be nested. */
  transaction<T>(work: () => T): T
  /** Whether a write would succeed now, and not wait for another process's lock. */
  isFree(): boolean
  /** Why nothing can be stored now; null if it can. */
  problem(): LabError | null
  /** Calls back whenever something could not be stored or read. @returns unsubscribes */
  onFailure(listener: () => void): () => void
  /** How much the history holds. */
  held(): Held
  /** The damaged databases that were moved aside, newest first. */
  damaged(): MovedAside[]
  close(): void
}

/**
 * 64 MB of write-ahead log. From there on the thread that writes copies the log itself, and waits for the disk. A worker thread
 * copies it at a quarter of that size (`upkeep/checkpoints.ts`), so this limit is seldom reached.
 */
const MOST_LOG_PAGES = 16_384
/** SQLite starts again at the beginning of the log's file and cuts it to this size. So the file's size shows how much is in it. */
const KEPT_LOG_BYTES = 1024 * 1024

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
    throw openProblem(dataDir, error)
  }
}

/** Opens the database, creates it if it is missing, and upgrades its schema. */
function openDatabase(dataDir: string, onProblem: (problem: LabError) => void): Database {
  const file = join(dataDir, DATABASE)
  // SQLite takes an empty file for a new database. Where there is a token, there was more in it.
  const isEmpty = statSync(file, { throwIfNoEntry: false })?.size === 0
  if (isEmpty && existsSync(join(dataDir, 'token'))) throw damaged(dataDir, `${DATABASE} is empty`)
  createPrivate(file)
  const db = new Database(file, dataDir, onProblem)
  try {
    // NORMAL: a process crash loses nothing; a power failure can lose the last commits but does not damage the file.
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    db.exec(`PRAGMA wal_autocheckpoint = ${MOST_LOG_PAGES}; PRAGMA journal_size_limit = ${KEPT_LOG_BYTES}`)
    if (isSuspect(dataDir)) {
      if (!isSound(db)) throw damaged(dataDir, 'PRAGMA quick_check')
      clearSuspicion(dataDir)
    }
    migrate(db)
    db.stopWaiting()
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** The same, and moves a damaged database aside first. */
function openSound(dataDir: string, health: Health): Database {
  const inode = inodeOf(dataDir)
  try {
    return openDatabase(dataDir, health.note)
  } catch (error) {
    if (openProblem(dataDir, error).code !== 'data_corrupt') throw error
    moveAside(dataDir, inode)
    health.forget()
    return openDatabase(dataDir, health.note)
  }
}

/**
 * Opens the store, creates it if it is missing, and upgrades its schema. A damaged database is moved aside, and a new
 * one begun: {@link Store.damaged} lists it.
 *
 * @param owner the process that performs the runs of this store
 * @throws LabError `data_unwritable`, `data_exposed`, `data_full`, `data_in_use`, or `config_invalid` when a newer
 *   version wrote the database
 */
export function openStore(dataDir: string, owner = ownerOf(process.pid)): Store {
  makeDataDir(dataDir)
  const health = createHealth(dataDir)
  try {
    const opened = openSound(dataDir, health)
    const waiting: Waiting = new Map()
    const principals = createPrincipals(opened, waiting)
    const invitations = createInvitations(opened, waiting)
    const reserve = createReserve(dataDir)
    return {
      sessions: createSessions(opened),
      runs: createRuns(opened),
      holds: createHolds(opened),
      queue: createQueueState(opened),
      events: createEvents(opened),
      snapshots: createSnapshots(opened),
      contexts: createContexts(opened),
      profiles: createProfiles(opened),
      recordings: createRecordings(opened),
      presentations: createPresentations(opened),
      hands: createHands(opened),
      principals,
      invitations,
      revocations: createRevocations({ db: opened, dataDir, waiting, principals, invitations, reserve }),
      launches: createLaunches(opened),
      audit: createAudit(opened),
      retention: createRetention(opened),
      owner,
      transaction: (work) => inTransaction(opened, work),
      isFree: () => isFree(opened),
      problem: () => health.problem(opened),
      onFailure: health.onFailure,
      held: () => heldIn(opened),
      damaged: () => movedAside(dataDir),
      close() {
        if (opened.isOpen) opened.close()
      },
    }
  } catch (error) {
    throw openProblem(dataDir, error)
  }
}
