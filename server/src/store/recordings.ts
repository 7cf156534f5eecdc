import type { DatabaseSync } from 'node:sqlite'
import { recordingView, type RecordingView } from '@expresslane/shared/recordings/recording'
import type { EpochMs } from '@expresslane/shared/measure/units'
import { z } from 'zod'
import { readJson } from './json.ts'

const row = z.object({ id: z.string(), view: z.string() })
const textRow = z.object({ text: z.string() })

/** Imported recordings: the text of each file, and its entry in the list. */
export interface Recordings {
  /** Newest import first. */
  all(): RecordingView[]
  text(id: string): string | null
  /** Does nothing if the recording exists already. */
  add(view: RecordingView, text: string, at: EpochMs): void
  /** @returns whether a recording with this id existed */
  remove(id: string): boolean
}

export function createRecordings(db: DatabaseSync): Recordings {
  const list = db.prepare('SELECT id, view FROM recordings ORDER BY imported_at DESC, id')
  const select = db.prepare('SELECT text FROM recordings WHERE id = ?')
  const insert = db.prepare(
    'INSERT INTO recordings (id, view, text, imported_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  )
  const remove = db.prepare('DELETE FROM recordings WHERE id = ?')
  return {
    all() {
      return list.all().map((found) => {
        const { id, view } = row.parse(found)
        return readJson(recordingView, view, `recording ${id}`)
      })
    },
    text(id) {
      const found = select.get(id)
      return found === undefined ? null : textRow.parse(found).text
    },
    add(view, text, at) {
      insert.run(view.id, JSON.stringify(view), text, at)
    },
    remove: (id) => remove.run(id).changes === 1,
  }
}
