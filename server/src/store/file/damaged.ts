/** A damaged database is moved aside, never dropped. */
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { MovedAside } from '@expresslane/shared/wire/data'
import { epochMs } from '@expresslane/shared/base/units'
import { z } from 'zod'
import { createPrivate } from './private.ts'

/** The database's file in the data directory. */
export const DATABASE = 'expresslane.db'
/** SQLite's own files beside it. */
const BESIDE = ['', '-wal', '-shm']
/** Exists after a statement found damage: the next start checks the whole file. */
const SUSPECT = `${DATABASE}.suspect`

const checkRow = z.object({ quick_check: z.string() })

/** A file's identity; null if there is none. */
export function inodeOf(dataDir: string): number | null {
  return statSync(join(dataDir, DATABASE), { throwIfNoEntry: false })?.ino ?? null
}

/** Remembers that the database is damaged. */
export function suspect(dataDir: string): void {
  try {
    createPrivate(join(dataDir, SUSPECT))
  } catch {
    // The disk can be full or gone as well. The damage is found again.
  }
}

export function isSuspect(dataDir: string): boolean {
  return existsSync(join(dataDir, SUSPECT))
}

/** Reads the whole file. */
export function isSound(db: DatabaseSync): boolean {
  return checkRow.parse(db.prepare('PRAGMA quick_check(1)').get()).quick_check === 'ok'
}

export function clearSuspicion(dataDir: string): void {
  rmSync(join(dataDir, SUSPECT), { force: true })
}

/** `20261122T084500Z`, which sorts by time and is a plain file name. */
function stamp(now: Date): string {
  return now.toISOString().replaceAll(/[-:]|\.\d+/g, '')
}

/**
 * Moves the damaged database and SQLite's files beside it to names of their own.
 *
 * @param inode the file that was found damaged. Another process can have moved it, and begun a new file, since then
 */
export function moveAside(dataDir: string, inode: number | null, now = new Date()): void {
  clearSuspicion(dataDir)
  if (inode === null || inodeOf(dataDir) !== inode) return
  let name = `${DATABASE}.damaged-${stamp(now)}`
  for (let count = 2; existsSync(join(dataDir, name)); count += 1) name = `${DATABASE}.damaged-${stamp(now)}-${count}`
  for (const suffix of BESIDE) {
    const from = join(dataDir, `${DATABASE}${suffix}`)
    if (existsSync(from)) renameSync(from, join(dataDir, `${name}${suffix}`))
  }
}

/** The damaged databases that were moved aside and are still there, newest first. */
export function movedAside(dataDir: string): MovedAside[] {
  return readdirSync(dataDir)
    .filter((name) => /^expresslane\.db\.damaged-\d{8}T\d{6}Z(-\d+)?$/.test(name))
    .toSorted()
    .toReversed()
    .map((name) => {
      const file = join(dataDir, name)
      const [, date = '', time = ''] = /(\d{8})T(\d{6})Z/.exec(name) ?? []
      const at = `${date.replace(/(....)(..)(..)/, '$1-$2-$3')}T${time.replace(/(..)(..)(..)/, '$1:$2:$3')}Z`
      return { file, at: epochMs.parse(Date.parse(at)), bytes: sizeOf(file) }
    })
}

/** In bytes, with SQLite's files beside it; 0 for a file that does not exist. */
export function sizeOf(file: string): number {
  return BESIDE.reduce((sum, suffix) => sum + (statSync(`${file}${suffix}`, { throwIfNoEntry: false })?.size ?? 0), 0)
}
