/** The files of `--json` and `--open`: whole, or not there. */
import { lstat, open, rm, writeFile } from 'node:fs/promises'
import { LabError } from '@expresslane/shared/base/errors'
import { diskFull } from '../store/file/problems.ts'

/** @param error of writing the file */
export function notWritten(file: string, error: unknown): LabError {
  const full = diskFull(file, error)
  if (full !== null) return full
  return new LabError(
    'bad_request',
    `Expresslane can't write ${file}.`,
    'Choose a file in a directory that you can write to.',
    {
      detail: error instanceof Error ? error.message : String(error),
      cause: error,
    },
  )
}

function existsAlready(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}

/** Tries it before anything is measured, and leaves no empty file. @throws LabError `bad_request`, `data_full` */
export async function requireWritable(file: string | null): Promise<void> {
  if (file === null) return
  try {
    await (await open(file, 'ax')).close()
    await rm(file)
  } catch (error) {
    if (!existsAlready(error)) throw notWritten(file, error)
    await open(file, 'a').then(
      (opened) => opened.close(),
      (refused: unknown) => Promise.reject(notWritten(file, refused)),
    )
  }
}

/** Half of a result could be taken for a whole one, so it is removed. @throws LabError `bad_request`, `data_full` */
export async function writeWhole(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text)
  } catch (error) {
    // Not a device such as /dev/full.
    const isFile = await lstat(file).then(
      (found) => found.isFile(),
      () => false,
    )
    if (isFile) await rm(file, { force: true })
    throw notWritten(file, error)
  }
}

/** Writes a result as JSON. @throws LabError `bad_request`, `data_full` */
export function writeResult(file: string, result: unknown): Promise<void> {
  return writeWhole(file, `${JSON.stringify(result, null, 2)}\n`)
}
