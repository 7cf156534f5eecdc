/** The second opinion on an experiment, for followers. */
import type { RunId } from '@expresslane/shared/run/events'
import type { RunState } from '@expresslane/shared/run/run-state'
import { useEffect, useState } from 'react'
import { useLive, useStore } from '../api/live.tsx'
import type { Store } from '../api/store.ts'
import { getRun, readOpinion } from '@expresslane/shared/wire/protocol'
import { call } from '../api/request.ts'

async function loadOpinion(store: Store, of: RunId): Promise<void> {
  const { runId } = await call(readOpinion, { params: { id: of } })
  if (runId === null) return
  const { run } = await call(getRun, { params: { id: runId }, query: { events: 'false' } })
  store.openRun(run)
}

/**
 * The latest second opinion on an experiment, live; null if there is none. The stream brings an opinion that begins
 * after this page has opened. An earlier opinion is asked for, so a full room does not ask all at once when an
 * experiment ends.
 *
 * @param of does not change
 * @param asked whether the counted machine is asked by now; only the value when this page opens the experiment counts
 */
export function useFollowedOpinion(of: RunId, asked: boolean): RunState | null {
  const store = useStore()
  const opinion = useLive(({ runs }) => {
    const all = [...runs.values()].filter(({ params }) => params.opinionOf === of)
    return all.toSorted((a, b) => a.startedAt - b.startedAt).at(-1) ?? null
  })
  const connected = useLive(({ connection }) => connection === 'live')
  const [late] = useState(asked)
  const wanted = late && opinion === null && connected
  useEffect(() => {
    // Without an answer it is asked again at the next connection.
    if (wanted) loadOpinion(store, of).catch(() => undefined)
  }, [store, of, wanted])
  return opinion
}
