/** A copy of the database as it is now, and the same database without its holes; both beside a running server. */
import { existsSync, linkSync, rmSync, statSync } from 'node:fs'
import { backup, DatabaseSync } from 'node:sqlite'
import { LabError } from '@expresslane/shared/base/errors'
import { z } from 'zod'
import { isSound } from '../file/damaged.ts'
import { createPrivate } from '../file/private.ts'
import { diskFull } from '../file/problems.ts'

/** All pages in one step: with several, a server that writes would make it begin again and again. */
const ALL_PAGES = 2 ** 31 - 1
const runningRow = z.object({ running: z.number().int() })

function notWritten(file: string, cause: unknown): LabError {
  const full = diskFull(file, cause)
  if (full !== null) return full
  return new LabError(
    'bad_request',
    `The backup ${file} can’t be written.`,
    'Choose a new file in a directory of yours.',
    {
      cause,
      detail: cause instanceof Error ? cause.message : String(cause),
    },
  )
}

/**
 * Writes a copy of everything that is committed. A server goes on writing meanwhile. The file is its owner's alone, and
 * is whole when it has its name.
 *
 * @returns its size in bytes
 * @throws LabError `bad_request` for a file that exists or can't be written, `data_full`
 */
export async function backUp(db: DatabaseSync, file: string): Promise<number> {
  if (existsSync(file)) {
    throw new LabError('bad_request', `${file} exists already.`, 'Choose a new file: a backup replaces nothing.')
  }
  const part = `${file}.part`
  try {
    rmSync(part, { force: true })
    createPrivate(part)
    await backup(db, part, { rate: ALL_PAGES })
    const copy = new DatabaseSync(part)
    try {
      // The copy is a single file, without SQLite's own files beside it.
      copy.exec('PRAGMA journal_mode = DELETE')
      if (!isSound(copy)) throw new Error('the copy is damaged')
    } finally {
      copy.close()
    }
    // Unlike a rename, this fails if somebody else has made the file meanwhile.
    linkSync(part, file)
    return statSync(file).size
  } catch (error) {
    throw notWritten(file, error)
  } finally {
    // SQLite keeps a journal beside it, to undo a write.
    for (const one of [part, `${part}-journal`]) rmSync(one, { force: true })
  }
}

/**
 * Writes the database again without holes, and gives the space back to the disk. It holds the write lock meanwhile, so
 * it refuses while a run measures: writes of other processes then wait for seconds.
 *
 * @throws LabError `testbed_busy`, `data_in_use`, `data_full`
 */
export function vacuum(db: DatabaseSync): void {
  const { running } = runningRow.parse(db.prepare("SELECT count(*) AS running FROM runs WHERE state = 'running'").get())
  if (running > 0) {
    throw new LabError(
      'testbed_busy',
      'A run is under way, and this would delay its log.',
      'Wait until it has ended, or cancel it on the page. Then try again.',
    )
  }
  db.exec('VACUUM')
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
}
