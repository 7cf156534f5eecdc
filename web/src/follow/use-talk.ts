/** Loads what is presented, and keeps it up to date over breaks of the connection. */
import type { Lab } from '@expresslane/shared/labs/lab'
import type { Session } from '@expresslane/shared/wire/protocol'
import type { Presentation } from '@expresslane/shared/wire/presentation'
import { useEffect, useState } from 'react'
import { useLive, useStore } from '../api/live.tsx'
import type { Store } from '../api/store.ts'
import { talk } from '../api/talk.ts'

/** A talk with its lab and session: the present one, or the last one after its end. */
export interface Talk {
  readonly lab: Lab
  readonly session: Session
  readonly presentation: Presentation
}

interface Loaded {
  readonly lab: Lab
  readonly session: Session
}

async function loadTalk(store: Store, { sessionId, labId }: Pick<Presentation, 'sessionId' | 'labId'>) {
  const [view, { labs }] = await Promise.all([talk.session(sessionId), talk.labs()])
  const lab = labs.find(({ id }) => id === labId)
  if (lab === undefined) throw new Error(`the server has no lab ${labId}`)
  store.openSession(view)
  return { lab, session: view.session }
}

/** The path before its next reading on the stream. It can be slow to read, and the page does not wait for it. */
async function loadPath(store: Store, { testbed }: Pick<Presentation, 'testbed'>): Promise<void> {
  const { turns } = store.snapshot()
  store.openTestbed(await talk.testbed(testbed), turns)
}

export interface TalkState {
  /** Null before the first talk. */
  readonly talk: Talk | null
  /** Whether a talk goes on, as far as this page knows. */
  readonly on: boolean
  /** Why it could not be loaded; null if it could. The next connection tries again. */
  readonly problem: unknown
}

export function useTalk(): TalkState {
  const store = useStore()
  const presentation = useLive((snapshot) => snapshot.presentation)
  const live = useLive((snapshot) => snapshot.connection === 'live')
  const boots = useLive((snapshot) => snapshot.boots)
  const labsRevision = useLive((snapshot) => snapshot.labsRevision)
  const [loaded, setLoaded] = useState<Loaded | null>(null)
  const [problem, setProblem] = useState<unknown>(null)
  const [last, setLast] = useState<Presentation | null>(presentation)
  const { sessionId, labId, testbed } = presentation ?? {}

  if (presentation !== null && presentation !== last) setLast(presentation)

  useEffect(() => {
    if (sessionId === undefined || labId === undefined || testbed === undefined || !live) return
    let current = true
    async function load(what: Pick<Presentation, 'sessionId' | 'labId'>): Promise<void> {
      try {
        const now = await loadTalk(store, what)
        if (!current) return
        setLoaded(now)
        setProblem(null)
      } catch (error) {
        if (current) setProblem(error)
      }
    }
    void load({ sessionId, labId })
    // Runs and their readings show the path, too.
    loadPath(store, { testbed }).catch(() => undefined)
    return () => {
      current = false
    }
  }, [store, sessionId, labId, testbed, live, boots, labsRevision])

  // While the next session loads, the last one stays.
  const shown = presentation ?? last
  const isOf = loaded !== null && shown !== null && loaded.session.id === shown.sessionId
  return { talk: isOf ? { ...loaded, presentation: shown } : null, on: presentation !== null, problem }
}
