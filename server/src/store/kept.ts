/** Keeps results beside the server's bundle for its next start, which is of the same code (scripts/setup/server-bundle.mjs). */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deserialize, serialize } from 'node:v8'

/** The bundle defines it; the source keeps no results. */
declare const IS_BUNDLE: true | undefined
const ofBundle = typeof IS_BUNDLE === 'undefined' ? null : fileURLToPath(new URL('../../dist/kept', import.meta.url))

/**
 * Makes a result, or takes the one that was made of the same input.
 *
 * @param input the only thing that the result depends on
 * @param make its result can be a message between threads
 * @param folder null keeps nothing
 */
export function kept<T>(input: Uint8Array | string, make: () => T, folder: string | null = ofBundle): T {
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
