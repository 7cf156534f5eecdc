import type { DatabaseSync } from 'node:sqlite'
import { presentation } from '@expresslane/shared/wire/presentation'
import { z } from 'zod'
import { columns, flag, query } from './columns.ts'

/** The part of a presentation that survives a restart. */
export const keptTalk = z.strictObject({
  sessionId: presentation.shape.sessionId,
  stepId: presentation.shape.stepId,
  startedAt: presentation.shape.startedAt,
  stepSince: presentation.shape.stepSince,
  blank: presentation.shape.blank,
  pathWide: presentation.shape.pathWide,
  /** Whether autopilot leads. */
  autopilot: z.boolean(),
  pace: presentation.shape.autopilot.shape.pace,
})
export type KeptTalk = z.infer<typeof keptTalk>

const row = columns(z.object({ ...keptTalk.shape, blank: flag, pathWide: flag, autopilot: flag }))

/** The presented talk, or none. It ends with its session. */
export interface Presentations {
  read(): KeptTalk | null
  keep(talk: KeptTalk): void
  clear(): void
}

export function createPresentations(db: DatabaseSync): Presentations {
  const { one: read } = query(db, 'SELECT * FROM presentation', row)
  const replace = db.prepare(
    `INSERT OR REPLACE INTO presentation
     (only_one, session_id, step_id, started_at, step_since, blank, path_wide, autopilot, pace)
     VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const remove = db.prepare('DELETE FROM presentation')
  return {
    read,
    keep({ sessionId, stepId, startedAt, stepSince, blank, pathWide, autopilot, pace }) {
      replace.run(sessionId, stepId, startedAt, stepSince, Number(blank), Number(pathWide), Number(autopilot), pace)
    },
    clear() {
      remove.run()
    },
  }
}
