/** Loads the presented talk, and keeps it up to date over breaks of the connection. */
import { listLabs, readSession, readTestbed, type Session } from '@expresslane/shared/wire/protocol'
import { readPresentation, type Presentation } from '@expresslane/shared/wire/presentation'
import type { Lab } from '@expresslane/shared/labs/lab'
import { useEffect, useRef, useState } from 'react'
import { useLive, useStore } from '../api/live.tsx'
import type { Store } from '../api/store.ts'
import { askedLanguage } from '#language'
import { call } from '../api/request.ts'

/** A talk with its lab and session: the present talk, or the last talk after its end. */
export interface Talk {
  readonly lab: Lab
  readonly session: Session
  readonly presentation: Presentation
}

interface Loaded {
  readonly lab: Lab
  readonly session: Session
}

async function findLab(labId: string): Promise<Lab | undefined> {
  const { labs } = await call(listLabs, { query: askedLanguage() })
  return labs.find(({ id }) => id === labId)
}

async function loadTalk(store: Store, { sessionId, labId }: Pick<Presentation, 'sessionId' | 'labId'>) {
  const [view, known] = await Promise.all([call(readSession, { params: { id: sessionId } }), findLab(labId)])
  // The browser asked for the labs while it loaded this page. That answer can be from before this talk: then it asks again.
  const lab = known ?? (await findLab(labId))
  if (lab === undefined) throw new Error(`the server has no lab ${labId}`)
  store.openSession(view)
  return { lab, session: view.session }
}

/** The path as it is now: the stream reports only its next change. It can be slow to read, and the page does not wait. */
async function loadPath(store: Store, { testbed }: Pick<Presentation, 'testbed'>): Promise<void> {
  const { facts, datapath, problem } = await call(readTestbed, { params: { id: testbed } })
  const known = store.snapshot().paths.get(testbed)?.datapath ?? null
  if (datapath === null || (known !== null && known.at >= datapath.at)) return
  store.news({ type: 'live', testbed, incarnation: facts?.incarnation ?? null, datapath, problem })
}

/** Loads the presentation without waiting for the stream: the browser asks for it while it still loads this page's code. */
async function loadPresentation(store: Store): Promise<void> {
  const { presentation } = await call(readPresentation)
  if (store.snapshot().connection === 'connecting') store.news({ type: 'presentation', presentation })
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
  const reachable = useLive(({ connection }) => connection === 'live' || connection === 'connecting')
  const boots = useLive((snapshot) => snapshot.boots)
  const labsRevision = useLive((snapshot) => snapshot.labsRevision)
  const [loaded, setLoaded] = useState<Loaded | null>(null)
  const [failed, setFailed] = useState<{ of: string; error: unknown } | null>(null)
  const [last, setLast] = useState<Presentation | null>(presentation)
  /** The talk that was loaded last. */
  const done = useRef<string | null>(null)
  const { sessionId, labId, testbed } = presentation ?? {}

  if (presentation !== null && presentation !== last) setLast(presentation)

  useEffect(() => {
    // The stream says it, too.
    loadPresentation(store).catch(() => undefined)
  }, [store])

  useEffect(() => {
    if (sessionId === undefined || labId === undefined || !reachable) return
    // After a break the stream brings the missing events: the room's phones do not load everything again at once.
    const what = `${sessionId} ${boots} ${labsRevision}`
    if (done.current === what) return
    let current = true
    async function load(of: Pick<Presentation, 'sessionId' | 'labId'>): Promise<void> {
      try {
        const now = await loadTalk(store, of)
        if (!current) return
        done.current = what
        setLoaded(now)
        setFailed(null)
      } catch (error) {
        if (current) setFailed({ of: of.sessionId, error })
      }
    }
    void load({ sessionId, labId })
    return () => {
      current = false
    }
  }, [store, sessionId, labId, reachable, boots, labsRevision])

  useEffect(() => {
    if (testbed === undefined || !reachable) return
    // Without it the panel waits for the next reading on the stream.
    loadPath(store, { testbed }).catch(() => undefined)
  }, [store, testbed, reachable, boots])

  // While the next session loads, the last one stays.
  const shown = presentation ?? last
  const isOf = loaded !== null && shown !== null && loaded.session.id === shown.sessionId
  // A talk that ends while it loads is not found, and nothing is wrong with that.
  const problem = failed !== null && failed.of === sessionId ? failed.error : null
  return { talk: isOf ? { ...loaded, presentation: shown } : null, on: presentation !== null, problem }
}
