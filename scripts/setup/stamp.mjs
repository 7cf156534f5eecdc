/** Stamps record the inputs of finished work, so that it is not repeated. */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { root } from '../base/paths.mjs'

const skipped = new Set(['node_modules', 'dist', 'test'])

/**
 * The files below the paths given, sorted; a path that is not there has none.
 *
 * @param {string} path
 * @returns {string[]}
 */
function filesBelow(path) {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return []
  if (!stat.isDirectory()) return [path]
  return readdirSync(path)
    .filter((name) => !skipped.has(name) && !name.startsWith('.'))
    .toSorted()
    .flatMap((name) => filesBelow(join(path, name)))
}

/**
 * A hash over names and contents of all files below the paths, and over `more`.
 *
 * @param {readonly string[]} paths
 * @param {readonly string[]} [more]
 */
export function hashOf(paths, more = []) {
  const hash = createHash('sha256')
  for (const file of paths.flatMap(filesBelow)) {
    const content = readFileSync(file)
    hash.update(`${relative(root, file)}\0${content.length}\0`).update(content)
  }
  for (const text of more) hash.update(`\0${text}`)
  return hash.digest('hex')
}

/**
 * A hash over names, sizes and times of all files below the paths. Where it is the same the contents are, too, and need
 * not be read.
 *
 * @param {readonly string[]} paths
 */
export function seenOf(paths) {
  const hash = createHash('sha256')
  for (const file of paths.flatMap(filesBelow)) {
    const { size, mtimeMs, ctimeMs, ino } = statSync(file)
    hash.update(`${relative(root, file)}\0${[size, mtimeMs, ctimeMs, ino].join(' ')}\0`)
  }
  return hash.digest('hex')
}

/**
 * @param {string} file
 * @returns {Record<string, string>} empty where there is none, or none that can be read
 */
export function readStamp(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return {}
  }
}

/**
 * @param {string} file
 * @param {Record<string, string>} stamp
 */
export function writeStamp(file, stamp) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(stamp)}\n`)
}

/** Removes the stamp before its work begins, so that interrupted work has no stamp. @param {string} file */
export function removeStamp(file) {
  rmSync(file, { force: true })
}
