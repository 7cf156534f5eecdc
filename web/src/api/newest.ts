/** The history's pages as they are kept, brought up to date. Pure. */
import type { RunsResponse } from '@expresslane/shared/wire/protocol'

/**
 * Puts a newer first page in front: what is new comes first, what is known takes its place. Runs that are beyond the
 * newest page have ended and change no more. When not even the oldest of the newest page is known, lines are missing in
 * between, and the history begins anew with that page.
 */
export function withNewest<Kept extends { pages: RunsResponse[]; pageParams: unknown[] }>(
  kept: Kept,
  newest: RunsResponse,
): Kept {
  const [first, ...older] = kept.pages
  const known = new Set(kept.pages.flatMap(({ runs }) => runs.map(({ id }) => id)))
  const oldest = newest.runs.at(-1)
  const joined = newest.next === null || (oldest !== undefined && known.has(oldest.id))
  if (first === undefined || !joined) return { ...kept, pages: [newest], pageParams: kept.pageParams.slice(0, 1) }
  const told = new Set(newest.runs.map(({ id }) => id))
  const left = ({ runs, next }: RunsResponse): RunsResponse => ({ runs: runs.filter(({ id }) => !told.has(id)), next })
  const { runs, next } = left(first)
  return { ...kept, pages: [{ runs: [...newest.runs, ...runs], next }, ...older.map(left)] }
}
