/** Updates the cached pages of the history. Pure. */
import type { RunsResponse } from '@expresslane/shared/wire/protocol'

/**
 * Merges a newer first page into the cached pages: new runs are added, known runs are replaced. Runs beyond the newest
 * page have ended and no longer change. When the oldest run of the newest page is unknown, runs are missing in between,
 * so the cache starts again with that page.
 */
export function withNewest<Kept extends { pages: RunsResponse[]; pageParams: unknown[] }>(
  kept: Kept,
  newest: RunsResponse,
): Kept {
  const [first, ...older] = kept.pages
  const known = new Set(kept.pages.flatMap(({ runs }) => runs.map(({ id }) => id)))
  const oldest = newest.runs.at(-1)
  const joined = newest.next === null || (oldest !== undefined && known.has(oldest.id))
  const about = new Set(newest.sessions.map(({ id }) => id))
  if (first === undefined || !joined) return { ...kept, pages: [newest], pageParams: kept.pageParams.slice(0, 1) }
  const listed = new Set(newest.runs.map(({ id }) => id))
  const rest = ({ runs, next, sessions }: RunsResponse): RunsResponse => ({
    runs: runs.filter(({ id }) => !listed.has(id)),
    next,
    sessions: sessions.filter(({ id }) => !about.has(id)),
  })
  const { runs, next, sessions } = rest(first)
  const front = { runs: [...newest.runs, ...runs], next, sessions: [...newest.sessions, ...sessions] }
  return { ...kept, pages: [front, ...older.map(rest)] }
}
