/** Files that only their owner may read: the data directory, and the secrets in it. */
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  type Stats,
} from 'node:fs'
import { userInfo } from 'node:os'
import { LabError } from '@expresslane/shared/base/errors'
import { typedLine } from '../../testbeds/typed.ts'

/** The rights of the group and of all others. */
const OTHERS = 0o077
const MODE = { directory: 0o700, file: 0o600 } as const

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null
}

function requireOwn(path: string, { uid, mode }: Stats, kind: keyof typeof MODE): void {
  const self = process.geteuid?.() ?? uid
  if (uid !== self) {
    throw new LabError(
      'data_exposed',
      `${path} belongs to another user of this machine (uid ${uid}), who could change it.`,
      'Give it to the user that Expresslane runs as, or set EXPRESSLANE_DATA to another directory.',
      { remedyCommand: typedLine(['sudo', 'chown', '-R', userInfo().username, path]) },
    )
  }
  if ((mode & OTHERS) === 0) return
  throw new LabError(
    'data_exposed',
    `Other users of this machine have rights to ${path} (mode ${(mode & 0o777).toString(8)}).`,
    'Take these rights away, and start again.',
    { remedyCommand: typedLine(['chmod', MODE[kind].toString(8), path]) },
  )
}

/** @throws LabError `data_exposed` when other users have rights to the directory, or own it */
export function requirePrivateDirectory(path: string): void {
  requireOwn(path, statSync(path), 'directory')
}

function notFollowed(path: string, cause: unknown): LabError {
  return new LabError(
    'data_exposed',
    `${path} is a symbolic link, which Expresslane does not follow.`,
    'Remove the link, and start again. Expresslane then creates the file.',
    { cause, remedyCommand: typedLine(['rm', path]) },
  )
}

/**
 * Reads a secret. Null if the file does not exist.
 *
 * @throws LabError `data_exposed` when it is a symbolic link or no file, or when other users have rights to it or own it
 */
export function readPrivate(path: string): string | null {
  let file: number
  try {
    // Without O_NONBLOCK, opening a named pipe would wait for its other end.
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    if (codeOf(error) === 'ELOOP') throw notFollowed(path, error)
    throw error
  }
  try {
    const stats = fstatSync(file)
    requireOwn(path, stats, 'file')
    if (!stats.isFile()) {
      const message = `${path} is not a file.`
      const remedyCommand = typedLine(['rm', '-r', path])
      throw new LabError('data_exposed', message, 'Remove it, and start again.', { remedyCommand })
    }
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

/** Writes a secret as a whole: a file or a link that has its name is replaced, never followed. */
export function writePrivate(path: string, text: string): void {
  const next = `${path}.${process.pid}.new`
  // A file of an earlier process with the same id that was killed: in a container the ids come again.
  rmSync(next, { force: true })
  const file = openSync(next, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, MODE.file)
  try {
    try {
      writeFileSync(file, text)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(next, path)
  } catch (error) {
    // On a full disk the beginning would stay, and be in the way of the next time.
    rmSync(next, { force: true })
    throw error
  }
}

/** Creates an empty file, unless there is one. SQLite gives its other files the same rights. */
export function createPrivate(path: string): void {
  try {
    closeSync(openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, MODE.file))
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}
