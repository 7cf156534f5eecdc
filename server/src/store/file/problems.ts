/** Reports of SQLite and the file system, as errors with a code, a sentence and a remedy. */
import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { LabError } from '@expresslane/shared/base/errors'
import { typedLine } from '../../testbeds/typed.ts'

/** Result codes of SQLite: https://www.sqlite.org/rescode.html. The lower eight bits are the primary code. */
const BUSY = 5
const LOCKED = 6
const READONLY = 8
const IOERR = 10
const CORRUPT = 11
const FULL = 13
const CANTOPEN = 14
const PERM = 3
const NOTADB = 26
const IOERR_SHORT_READ = 522

/** With less free space than this, a failed write is called a full disk: SQLite does not always say why it failed. */
const NO_SPACE_BYTES = 256 * 1024

function systemCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}

function resultCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error)) return null
  return typeof error.errcode === 'number' ? error.errcode : null
}

function isFull(dataDir: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dataDir)
    return bavail * bsize < NO_SPACE_BYTES
  } catch {
    return false
  }
}

type Kind = 'in-use' | 'full' | 'corrupt' | 'unwritable'

function kindOf(error: unknown, dataDir: string): Kind | null {
  const system = systemCode(error)
  if (system === 'ENOSPC' || system === 'EDQUOT') return 'full'
  const code = resultCode(error)
  if (code === null) return null
  if (code === IOERR_SHORT_READ) return 'corrupt'
  switch (code & 0xff) {
    case BUSY:
    case LOCKED:
      return 'in-use'
    case FULL:
      return 'full'
    case CORRUPT:
    case NOTADB:
      return 'corrupt'
    case IOERR:
    case CANTOPEN:
      return isFull(dataDir) ? 'full' : 'unwritable'
    case READONLY:
    case PERM:
      return 'unwritable'
    default:
      return null
  }
}

function unwritable(dataDir: string, cause: unknown): LabError {
  return new LabError(
    'data_unwritable',
    `Expresslane can't write its data to ${dataDir}.`,
    'Make the directory writable, or set EXPRESSLANE_DATA to another directory.',
    { detail: detailOf(cause), cause, remedyCommand: 'EXPRESSLANE_DATA=$HOME/expresslane npm start' },
  )
}

function detailOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

export function damaged(dataDir: string, detail: string, cause?: unknown): LabError {
  return new LabError(
    'data_corrupt',
    `The database in ${dataDir} is damaged.`,
    'Start Expresslane again. It moves the damaged file aside, keeps it, and begins with an empty history.',
    { detail, cause, remedyCommand: 'npm start' },
  )
}

function said(kind: Kind, dataDir: string, cause: unknown): LabError {
  const extra = { detail: detailOf(cause), cause }
  switch (kind) {
    case 'in-use':
      return new LabError(
        'data_in_use',
        `Another program has locked the database in ${dataDir}.`,
        'Try again when it has finished, or stop it. The command shows which programs have the file open.',
        { ...extra, remedyCommand: typedLine(['fuser', '-v', `${dataDir}/expresslane.db`]) },
      )
    case 'full':
      return new LabError(
        'data_full',
        `The disk with ${dataDir} is full. What was stored before is kept.`,
        'Free some space on this disk, then run the step again. The command shows what the history takes and how to prune it.',
        { ...extra, remedyCommand: 'npm run data -- info' },
      )
    case 'corrupt':
      return damaged(dataDir, extra.detail, cause)
    case 'unwritable':
      return unwritable(dataDir, cause)
  }
}

/** The problem that an error of the database or its directory stands for; null for any other error. */
export function storeProblem(dataDir: string, error: unknown): LabError | null {
  if (error instanceof LabError) return error
  const kind = kindOf(error, dataDir)
  return kind === null ? null : said(kind, dataDir, error)
}

/** The problem with opening the store: whatever is not known is something that could not be written. */
export function openProblem(dataDir: string, error: unknown): LabError {
  return storeProblem(dataDir, error) ?? unwritable(dataDir, error)
}

/** That a file which a command writes does not fit on its disk; null for any other error. */
export function diskFull(file: string, error: unknown): LabError | null {
  if (kindOf(error, dirname(file)) !== 'full') return null
  return new LabError(
    'data_full',
    `The disk of ${file} is full.`,
    'Free some space on it, or choose a file on another disk.',
    { detail: detailOf(error), cause: error },
  )
}

/** Whether another process has the lock, so that the same write can succeed later. */
export function isLocked(error: unknown): boolean {
  return error instanceof LabError && error.code === 'data_in_use'
}
