import type { DatabaseSync } from 'node:sqlite'
import type { TestbedKind } from '@expresslane/shared/testbed/testbed'
import { z } from 'zod'

const row = z.object({ context: z.string() })

/** The context that was chosen for each testbed that has several. */
export interface Contexts {
  read(testbed: TestbedKind): string | null
  choose(testbed: TestbedKind, context: string): void
}

export function createContexts(db: DatabaseSync): Contexts {
  const select = db.prepare('SELECT context FROM contexts WHERE testbed = ?')
  const upsert = db.prepare(
    'INSERT INTO contexts (testbed, context) VALUES (?, ?) ON CONFLICT DO UPDATE SET context = excluded.context',
  )
  return {
    read(testbed) {
      const found = select.get(testbed)
      return found === undefined ? null : row.parse(found).context
    },
    choose(testbed, context) {
      upsert.run(testbed, context)
    },
  }
}
