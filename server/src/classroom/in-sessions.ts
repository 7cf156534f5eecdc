/** The board's view of the participants' sessions: each seat, and the figures of each lab. */
import { labFigures } from '@expresslane/shared/report/room/steps/figures'
import type { SessionId } from '@expresslane/shared/run/events'
import type { RoomView, Seat } from '@expresslane/shared/wire/board'
import type { Session } from '@expresslane/shared/wire/protocol'
import type { Clock } from '../runs/clock.ts'
import type { FindLab } from '../runs/coordination/busy.ts'
import type { RunLog } from '../runs/log/run-log.ts'
import type { Store } from '../store/open.ts'
import { learnerOf, sessionsOfLearners, wayOf, type Way } from './learners.ts'
import type { Presence } from './presence.ts'
import { seatOf } from './seat.ts'

interface InSession {
  readonly seat: Seat
  readonly way: Way
}

export interface InSessions {
  /** Null for a session of a lab that is not listed: the Bench page's has one step and no way through it. */
  read(session: Session): InSession | null
  /** The figures of each lab that one of these people has begun. */
  figures(people: readonly { readonly id: string; readonly name: string }[]): RoomView['labs']
  /** The session's runs have changed. */
  forget(session: SessionId): void
  /** The labs have changed. */
  forgetAll(): void
}

interface Parts {
  readonly store: Store
  readonly log: RunLog
  readonly presence: Presence
  readonly labs: { readonly find: FindLab }
  readonly clock: Clock
  /** A person without a page and without a run for so long has left, in milliseconds. */
  readonly idleMs: number
}

/** A session changes only with its events: 30 participants' runs are not read again for each view. */
export function createInSessions({ store, log, presence, labs, clock, idleMs }: Parts): InSessions {
  const known = new Map<SessionId, InSession | null>()

  function fromStore(session: Session): InSession | null {
    const lab = labs.find(session.labId)
    if (lab === undefined || !lab.listed) return null
    const rows = store.runs.ofSession(session.id)
    const way = wayOf(lab, session, rows, store.runs.asked(session.id))
    return { seat: seatOf(lab, session, rows, (id) => log.state(id)), way }
  }

  function read(session: Session): InSession | null {
    const before = known.get(session.id)
    if (before !== undefined) return before
    const found = fromStore(session)
    known.set(session.id, found)
    return found
  }

  return {
    read,
    figures(people) {
      const raised = store.hands.all()
      const moment = { now: clock.now(), leftAfterMs: idleMs }
      const names = new Map(people.map(({ id, name }) => [id, name]))
      const byLab = Map.groupBy(
        people.flatMap(({ id }) => store.sessions.of(id)),
        ({ labId }) => labId,
      )
      return [...byLab].flatMap(([labId, sessions]) => {
        const lab = labs.find(labId)
        if (lab === undefined || !lab.listed) return []
        const learners = sessionsOfLearners(lab, sessions).flatMap((session) => {
          const { owner } = session
          const way = read(session)?.way
          const person = { name: names.get(owner) ?? owner, online: presence.isOnline(owner) }
          return way === undefined ? [] : [learnerOf(session, { ...way, ...person }, raised)]
        })
        return [labFigures(lab, learners, moment)]
      })
    },
    forget: (session) => known.delete(session),
    forgetAll: () => known.clear(),
  }
}
