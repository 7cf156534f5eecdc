import type { DatabaseSync } from 'node:sqlite'
import { recordingView, type RecordingView } from '@expresslane/shared/recordings/recording'
import type { EpochMs } from '@expresslane/shared/base/units'
import { z } from 'zod'
import { query } from './columns.ts'
import { readJson } from './json.ts'
import { inTransaction } from './transaction.ts'
import { letOthers } from '../workers/turns.ts'

/** A file is stored in parts of this size: migration 15 cuts the same. */
const PART_BYTES = 64 * 1024

const row = z.object({ id: z.string(), view: z.string() })
const outlineRow = z.object({ outline: z.string().nullable() })
const sizeRow = z.object({ bytes: z.number().int() })
const partRow = z.object({ bytes: z.instanceof(Uint8Array) })

/** Imported recordings: the bytes of each file, its outline, and its entry in the list. */
export interface Recordings {
  /** Newest import first. */
  all(): RecordingView[]
  /** The size of the file in bytes; null if it does not exist. */
  size(id: string): number | null
  /** Part of the file. @returns fewer bytes if it ends before or was removed */
  read(id: string, from: number, to: number): Buffer
  /** The outline that the check of the file made; null for an import of an earlier version. */
  outline(id: string): string | null
  /** Puts another form of the same file in its place. */
  replace(id: string, outline: string, bytes: Uint8Array): void
  /** Stores a file part by part, while other work has its turns. Does nothing if it exists already. */
  add(view: RecordingView, outline: string, bytes: Uint8Array, at: EpochMs): Promise<void>
  /** @returns whether a recording with this id existed */
  remove(id: string): boolean
}

export function createRecordings(db: DatabaseSync): Recordings {
  const list = query(db, 'SELECT id, view FROM recordings WHERE complete = 1 ORDER BY imported_at DESC, id', row)
  const size = query(db, 'SELECT bytes FROM recordings WHERE id = ? AND complete = 1', sizeRow)
  const kept = query(db, 'SELECT outline FROM recordings WHERE id = ?', outlineRow)
  const keep = db.prepare('UPDATE recordings SET outline = ?, bytes = ? WHERE id = ?')
  const dropParts = db.prepare('DELETE FROM recording_parts WHERE recording = ?')
  const parts = query(
    db,
    'SELECT bytes FROM recording_parts WHERE recording = ? AND part BETWEEN ? AND ? ORDER BY part',
    partRow,
  )
  const begin = db.prepare(
    `INSERT INTO recordings (id, view, outline, bytes, complete, imported_at) VALUES (?, ?, ?, ?, 0, ?)
     ON CONFLICT DO NOTHING`,
  )
  const insert = db.prepare('INSERT OR REPLACE INTO recording_parts (recording, part, bytes) VALUES (?, ?, ?)')
  const complete = db.prepare('UPDATE recordings SET complete = 1 WHERE id = ?')
  const remove = db.prepare('DELETE FROM recordings WHERE id = ? AND complete = 1')
  const sizeOf = (id: string): number | null => size.one(id)?.bytes ?? null
  const insertPart = (id: string, part: number, bytes: Uint8Array): void => {
    insert.run(id, part, bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES))
  }
  // Removes the rest of a process that ended within an import. Another process's import takes seconds, so it is never
  // this old.
  db.exec('DELETE FROM recordings WHERE complete = 0 AND imported_at < (unixepoch() - 3600) * 1000')

  return {
    all: () => list.all().map(({ id, view }) => readJson(recordingView, view, `recording ${id}`)),
    size: sizeOf,
    read(id, from, to) {
      const first = Math.floor(from / PART_BYTES)
      const found = parts.all(id, first, Math.floor((to - 1) / PART_BYTES)).map((part) => part.bytes)
      const before = first * PART_BYTES
      return Buffer.concat(found).subarray(from - before, to - before)
    },
    outline: (id) => kept.one(id)?.outline ?? null,
    replace(id, outline, bytes) {
      inTransaction(db, () => {
        dropParts.run(id)
        for (let part = 0; part * PART_BYTES < bytes.length; part += 1) insertPart(id, part, bytes)
        keep.run(outline, bytes.length, id)
      })
    },
    async add(view, outline, bytes, at) {
      if (sizeOf(view.id) !== null) return
      begin.run(view.id, JSON.stringify(view), outline, bytes.length, at)
      for (let part = 0; part * PART_BYTES < bytes.length; part += 1) {
        insertPart(view.id, part, bytes)
        await letOthers()
      }
      complete.run(view.id)
    },
    remove: (id) => remove.run(id).changes === 1,
  }
}
