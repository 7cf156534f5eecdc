/** Moves in the time of an open recording: the page shows the runs and the path as they were then. */
import type { RunId } from '@expresslane/shared/labs/lab'
import type { RunState } from '@expresslane/shared/run/run-state'
import type { Session } from '@expresslane/shared/wire/protocol'
import type { Store } from '../api/store.ts'
import type { Reader } from './file/reader.ts'
import type { Opened } from './file/questions.ts'
import { lineAt, READER, type RunSource } from './source.ts'

export interface PlayerState {
  /** On the recording's axis, in milliseconds. */
  readonly at: number
  readonly playing: boolean
  /** 1 for the original speed. */
  readonly speed: number
}

export interface Player extends RunSource {
  /** The session of all runs of the recording. */
  sessionOf(): Session
  readonly opened: Opened
  readonly reader: Reader
  state(): PlayerState
  subscribe(listener: () => void): () => void
  /** Shows a time. Of several that are asked for at once, the latest counts. */
  seek(at: number): Promise<void>
  /** Plays on from the present time, or from the start. */
  play(speed: number, again?: boolean): void
  setSpeed(speed: number): void
  pause(): void
  close(): void
}

/** The page draws often enough to look alive. */
const TICK_MS = 100

interface PlayerDeps {
  readonly store: Pick<Store, 'replaceRuns' | 'moveTestbed' | 'events' | 'news'>
  /** Milliseconds. */
  now(): number
  /** Calls back every `ms`; the returned function ends it. */
  every(ms: number, callback: () => void): () => void
}

export function createPlayer(name: string, opened: Opened, reader: Reader, { store, now, every }: PlayerDeps): Player {
  const { sessionId, testbed, incarnation, lastsMs, view } = opened
  const listeners = new Set<() => void>()
  /** Runs as they ended, which the worker need not send again. */
  const ended = new Map<RunId, RunState>()
  let state: PlayerState = { at: 0, playing: false, speed: 1 }
  let stop: (() => void) | null = null
  /** Counts the seeks: an answer to an earlier one is out of date. */
  let seeks = 0

  function change(part: Partial<PlayerState>): void {
    state = { ...state, ...part }
    for (const listener of listeners) listener()
  }

  async function whole(run: RunId): Promise<RunState | null> {
    const known = ended.get(run) ?? (await reader.ask('whole', { run }))
    if (known !== null) ended.set(run, known)
    return known
  }

  async function show(at: number): Promise<void> {
    seeks += 1
    const mine = seeks
    const began = opened.runs.filter(({ from }) => from <= at)
    // Each in a message of its own: the page would stop while it reads all of them at once.
    await Promise.all(began.filter(({ to }) => to <= at).map(({ id }) => whole(id)))
    if (mine !== seeks) return
    const { runs, datapath } = await reader.ask('moment', { at, has: [...ended.keys()] })
    if (mine !== seeks) return
    const states = began.flatMap(({ id }) => runs.find((run) => run.id === id) ?? ended.get(id) ?? [])
    store.replaceRuns(sessionId, states)
    store.moveTestbed({ id: testbed, facts: opened.facts, datapath, problem: null })
  }

  function pause(): void {
    stop?.()
    stop = null
    if (state.playing) change({ playing: false })
  }

  async function advance(until: number): Promise<void> {
    const { at } = state
    const mine = seeks
    const events = await reader.ask('between', { after: at, until })
    if (mine !== seeks || stop === null) return
    store.events(events)
    const read = events.findLast(({ event }) => event.type === 'datapath.read')?.event
    if (read?.type === 'datapath.read') {
      store.news({ type: 'live', testbed, incarnation, datapath: read.datapath, problem: null })
    }
    change({ at: until })
    if (until >= lastsMs) pause()
  }

  return {
    name,
    title: view.name,
    lab: view.lab,
    runs: opened.runs.map(({ id }) => id),
    measured: opened.measured,
    sessionOf: () => ({ id: sessionId, labId: view.lab, testbed, owner: READER, createdAt: view.recordedAt }),
    async lines(run) {
      const events = await reader.ask('events', { run })
      return events.flatMap(lineAt)
    },
    opened,
    reader,
    state: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async seek(to) {
      const at = Math.min(lastsMs, Math.max(0, Math.round(to)))
      change({ at })
      await show(at)
    },
    play(speed, again = false) {
      pause()
      change({ playing: true, speed })
      if (again) {
        change({ at: 0 })
        store.replaceRuns(sessionId, [])
      }
      let last = now()
      let busy = false
      stop = every(TICK_MS, () => {
        // A tick that comes before the last answer adds its time to the next.
        if (busy) return
        const time = now()
        const until = Math.min(lastsMs, Math.round(state.at + (time - last) * state.speed))
        last = time
        busy = true
        void advance(until).finally(() => {
          busy = false
        })
      })
    },
    setSpeed: (speed) => change({ speed }),
    pause,
    whole,
    close() {
      pause()
      reader.close()
    },
  }
}
