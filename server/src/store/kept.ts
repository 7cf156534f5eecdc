/** Keeps results beside the server's bundle for its next start, which is of the same code (scripts/setup/server-bundle.mjs). */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'

/** The bundle's folder for results; the source has none. */
declare const KEPT_RESULTS: string | undefined

/**
 * Makes a result, or takes the one that was made of the same input.
 *
 * @param input the only thing that the result depends on
 * @param make its result can be a message between threads
 * @param folder null keeps nothing
 */
export function kept<T>(
  input: Uint8Array | string,
  make: () => T,
  folder: string | null = typeof KEPT_RESULTS === 'undefined' ? null : KEPT_RESULTS,
): T {
  if (folder === null) return make()
  const file = join(folder, createHash('sha256').update(input).digest('hex'))
  try {
    return deserialize(readFileSync(file)) as T
  } catch {
    // It was not kept yet.
  }
  const result = make()
  try {
    mkdirSync(folder, { recursive: true })
    writeFileSync(`${file}.${process.pid}`, serialize(result))
    renameSync(`${file}.${process.pid}`, file)
  } catch {
    // A checkout that can't be written to keeps nothing.
  }
  return result
}
