import type { DatabaseSync } from 'node:sqlite'
import type { TestbedKind } from '@expresslane/shared/testbed/testbed'
import { z } from 'zod'
import { query } from './columns.ts'

const row = z.object({ context: z.string() })

/** The chosen contexts, for each kind of testbed that has several. */
export interface Contexts {
  /** The last choice. */
  latest(kind: TestbedKind): string | null
  /** All contexts that were ever chosen, the latest first. */
  all(kind: TestbedKind): string[]
  choose(kind: TestbedKind, context: string): void
}

export function createContexts(db: DatabaseSync): Contexts {
  const chosen = query(db, 'SELECT context FROM contexts WHERE kind = ? ORDER BY chosen DESC', row)
  const choose = db.prepare('INSERT OR REPLACE INTO contexts (kind, context) VALUES (?, ?)')
  const all = (kind: TestbedKind): string[] => chosen.all(kind).map(({ context }) => context)
  return {
    latest: (kind) => all(kind)[0] ?? null,
    all,
    choose(kind, context) {
      choose.run(kind, context)
    },
  }
}
