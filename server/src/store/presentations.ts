import type { DatabaseSync } from 'node:sqlite'
import { presentation } from '@expresslane/shared/wire/presentation'
import { z } from 'zod'

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

const row = z
  .object({
    session_id: z.string(),
    step_id: z.string(),
    started_at: z.number(),
    step_since: z.number(),
    blank: z.number(),
    path_wide: z.number(),
    autopilot: z.number(),
    pace: z.number(),
  })
  .transform((from) => ({
    sessionId: from.session_id,
    stepId: from.step_id,
    startedAt: from.started_at,
    stepSince: from.step_since,
    blank: from.blank === 1,
    pathWide: from.path_wide === 1,
    autopilot: from.autopilot === 1,
    pace: from.pace,
  }))
  .pipe(keptTalk)

/** The presented talk, or none. It ends with its session. */
export interface Presentations {
  read(): KeptTalk | null
  keep(talk: KeptTalk): void
  clear(): void
}

export function createPresentations(db: DatabaseSync): Presentations {
  const select = db.prepare('SELECT * FROM presentation')
  const replace = db.prepare(
    `INSERT OR REPLACE INTO presentation
     (only_one, session_id, step_id, started_at, step_since, blank, path_wide, autopilot, pace)
     VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const remove = db.prepare('DELETE FROM presentation')
  return {
    read() {
      const found = select.get()
      return found === undefined ? null : row.parse(found)
    },
    keep({ sessionId, stepId, startedAt, stepSince, blank, pathWide, autopilot, pace }) {
      replace.run(sessionId, stepId, startedAt, stepSince, Number(blank), Number(pathWide), Number(autopilot), pace)
    },
    clear() {
      remove.run()
    },
  }
}
