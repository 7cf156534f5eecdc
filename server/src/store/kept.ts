/**
 * Keeps results beside the server's bundle for its next start, which is of the same code (scripts/setup/server-bundle.mjs). The
 * source keeps them in memory: its code can change until the next start.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deserialize, serialize } from 'node:v8'

/** The bundle defines it. */
declare const IS_BUNDLE: true | undefined
const ofBundle = typeof IS_BUNDLE === 'undefined' ? null : fileURLToPath(new URL('../../dist/kept', import.meta.url))

/** By the digest of their input. Tests start hundreds of servers in a process, and reading recordings and labs took two seconds each. */
const inMemory = new Map<string, Buffer>()

/**
 * Makes a result, or takes the one that was made of the same input.
 *
 * @param input the only thing that the result depends on
 * @param make its result can be a message between threads
 * @param folder null keeps it in memory
 */
export function kept<T>(input: Uint8Array | string, make: () => T, folder: string | null = ofBundle): T {
  const digest = createHash('sha256').update(input).digest('hex')
  const file = folder === null ? null : join(folder, digest)
  try {
    const found = file === null ? inMemory.get(digest) : readFileSync(file)
    if (found !== undefined) return deserialize(found) as T
  } catch {
    // It was not kept yet.
  }
  const result = make()
  if (file === null || folder === null) {
    inMemory.set(digest, serialize(result))
    return result
  }
  try {
    mkdirSync(folder, { recursive: true })
    writeFileSync(`${file}.${process.pid}`, serialize(result))
    renameSync(`${file}.${process.pid}`, file)
  } catch {
    // A checkout that can't be written to keeps nothing.
  }
  return result
}
