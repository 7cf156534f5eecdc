/** How many files this process has open: each connection and each process that it starts takes some, and the system limits them. */
import { closeSync, openSync } from 'node:fs'
import { LabError } from '@expresslane/shared/base/errors'

/** The files that starting a process and reading its output takes, and a few more. */
const NEEDED = 16

/** The errors of too many open files in this process, or in the whole system: errno(3). */
const CODES: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE'])

/** The problem that a system's error stands for; null for any other error. */
export function tooManyFiles(error: unknown): LabError | null {
  if (!(error instanceof Error) || !('code' in error) || !CODES.has(error.code)) return null
  return new LabError(
    'too_many_files',
    `This server has too many open files (${String(error.code)}), and can’t open more.`,
    'Close pages that nobody needs, or start the server with a higher limit.',
    { remedyCommand: 'ulimit -n 65536 && npm start', detail: error.message, cause: error },
  )
}

/** Opens as many files as a command needs, and closes them again. @returns why that fails; null if it works */
export function lackOfFiles(): LabError | null {
  const opened: number[] = []
  try {
    while (opened.length < NEEDED) opened.push(openSync('/dev/null', 'r'))
    return null
  } catch (error) {
    const problem = tooManyFiles(error)
    if (problem === null) throw error
    return problem
  } finally {
    for (const file of opened) closeSync(file)
  }
}
