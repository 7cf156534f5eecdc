/** The lines of the history's table: for each session a head, and its runs below. Pure. */
import type { RunsResponse, RunSummary } from '@expresslane/shared/wire/protocol'

export type ListedSession = RunsResponse['sessions'][number]

/** A run, or the head of the session whose runs follow. */
export type Line =
  | { readonly key: string; readonly head: ListedSession; readonly run?: never }
  | { readonly key: string; readonly run: RunSummary; readonly head?: never }

/**
 * Groups the runs of each page by session, so that a page that loads later changes nothing above itself. Where sessions took
 * turns, a session with runs on several pages has a head on each.
 */
export function linesOf(pages: readonly RunsResponse[]): Line[] {
  const known = new Map(pages.toReversed().flatMap(({ sessions }) => sessions.map((one) => [one.id, one] as const)))
  const lines: Line[] = []
  let last: string | null = null
  for (const { runs } of pages) {
    const groups = [...Map.groupBy(runs, ({ sessionId }) => sessionId)]
    // Continues the last group of the page before.
    for (const [id, own] of groups.toSorted(([a], [b]) => Number(b === last) - Number(a === last))) {
      const head = known.get(id)
      const [first] = own
      if (id !== last && head !== undefined) lines.push({ key: `${id} before ${first?.id ?? ''}`, head })
      for (const run of own) lines.push({ key: run.id, run })
      last = id
    }
  }
  return lines
}
