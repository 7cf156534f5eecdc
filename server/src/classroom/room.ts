/** The instructor's board: who is in the room, and the removal of a participant. */
import type { RunId, LoggedEvent } from '@expresslane/shared/run/events'
import type { EpochMs } from '@expresslane/shared/base/units'
import { testbedsOf } from '@expresslane/shared/features/topology'
import type { Participant, RoomView, RunInQueue } from '@expresslane/shared/wire/board'
import { LabError } from '@expresslane/shared/base/errors'
import { linkOwner } from '../access/principal.ts'
import type { Clock } from '../runs/clock.ts'
import type { FindLab } from '../runs/coordination/busy.ts'
import type { Scheduler } from '../runs/coordination/scheduler.ts'
import type { Queue } from '../runs/queue/queue.ts'
import type { RunLog } from '../runs/log/run-log.ts'
import type { Store } from '../store/open.ts'
import type { RunRow } from '../store/runs.ts'
import type { Presence } from './presence.ts'
import { createInSessions } from './in-sessions.ts'
import { createNews } from './news.ts'

interface Person {
  readonly id: string
  readonly name: string
  readonly joinedAt: EpochMs
  readonly network: string | null
}

export interface Room {
  view(): Omit<RoomView, 'doors'>
  /** Increases whenever {@link Room.view} may have changed. */
  revision(): number
  /** At most one call a second. @returns unsubscribes */
  subscribe(listener: (revision: number) => void): () => void
  /** The view changed elsewhere, in the queue. */
  note(): void
  /** Somebody's access was taken back: cancels their runs and closes their testbed. Sessions and results stay. */
  leave(id: string): Promise<void>
  close(): void
}

/** The catalogue of labs, which changes when a lab's file is edited. */
interface RoomLabs {
  readonly find: FindLab
  subscribe(listener: () => void): () => void
}

export interface RoomParts {
  /** The participants, in the order in which they joined. */
  readonly participants: () => readonly Person[]
  /** The networks from which several people joined. */
  readonly crowded: () => RoomView['crowded']
  readonly presence: Presence
  readonly store: Store
  readonly log: RunLog
  readonly queue: Pick<Queue, 'line' | 'running'>
  readonly scheduler: Pick<Scheduler, 'cancel' | 'settled' | 'release'>
  readonly labs: RoomLabs
  readonly clock: Clock
  /** The most participants. */
  readonly limit: number
  /** A person without a page and without a run for so long has left, in milliseconds. */
  readonly idleMs: number
}

export function createRoom(parts: RoomParts): Room {
  const { participants, crowded, presence, store, log, queue, scheduler, labs, clock, limit } = parts
  const news = createNews(clock)
  const sessions = createInSessions(parts)

  function nameOf(person: string): string {
    return person === linkOwner.id ? linkOwner.name : (store.principals.find(person)?.name ?? person)
  }

  function participantOf({ id, name, joinedAt, network }: Person): Participant {
    const of = store.sessions.of(id).flatMap((session) => sessions.read(session)?.seat ?? [])
    return { id, name, joinedAt, network, online: presence.isOnline(id), seats: of }
  }

  function inQueue({ id: runId, sessionId, person, labId, stepId }: RunRow): RunInQueue {
    return { runId, sessionId, person, name: nameOf(person), labId, stepId }
  }

  function waiting(): RoomView['queue']['waiting'] {
    return queue.line().map((id) => {
      const row = store.runs.find(id)
      if (row === null) throw new Error(`run ${id} is in line and not in the store`)
      return inQueue(row)
    })
  }

  function running(): RoomView['queue']['running'] {
    return queue.running().map(({ run, seconds, leftSeconds }) => ({ ...inQueue(run), seconds, leftSeconds }))
  }

  function follow({ event, runId }: LoggedEvent): void {
    if (event.type !== 'run.queued' && event.type !== 'run.started' && event.type !== 'run.ended') return
    const run = log.state(runId)
    if (run !== null) sessions.forget(run.sessionId)
    news.note()
  }
  function forgetSeats(): void {
    sessions.forgetAll()
    news.note()
  }
  const unfollow = [labs.subscribe(forgetSeats), log.subscribe(follow), presence.subscribe(() => news.note())]

  async function endRuns(id: string): Promise<void> {
    // Also runs that an instructor started in their sessions.
    const open = store.runs
      .open()
      .filter((run) => run.person === id || store.sessions.find(run.sessionId)?.owner === id)
    const ended = open.map(async ({ id: runId }: { id: RunId }) => {
      try {
        scheduler.cancel(runId)
        await scheduler.settled(runId)
      } catch (error) {
        // The run ended meanwhile.
        if (!(error instanceof LabError)) throw error
      }
    })
    await Promise.all(ended)
  }

  return {
    view: () => ({
      participants: participants().map(participantOf),
      labs: sessions.figures(participants()),
      limit,
      crowded: crowded(),
      followers: presence.count('viewer'),
      queue: { paused: store.queue.paused(), running: running(), waiting: waiting() },
    }),
    revision: () => news.revision(),
    subscribe: (listener) => news.subscribe(listener),
    note: () => news.note(),
    async leave(id) {
      await endRuns(id)
      await Promise.all(testbedsOf(id).map((testbed) => scheduler.release(testbed)))
      news.note()
    },
    close() {
      for (const stop of unfollow) stop()
    },
  }
}
