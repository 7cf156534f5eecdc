/** The rows that version 0.1 left in a database, as `fixtures/store` has them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const cells = z.record(z.string(), z.union([z.string(), z.number(), z.null()]))
const rows = z.object({
  sessions: z.array(cells),
  runs: z.array(cells.and(z.object({ id: z.string(), step_id: z.string(), lab_id: z.string() }))),
  events: z.array(cells.and(z.object({ run_id: z.string(), at: z.number(), event: z.string() }))),
})

export const earlierRows = rows.parse(
  JSON.parse(readFileSync(join(import.meta.dirname, '../fixtures/store/0.1-big-tcp-ipv4.json'), 'utf8')),
)
