/**
 * Hands of participants who are stuck, in order, and the instructor who looks at the session of one with their consent. The
 * store keeps the hands; consent is in memory only, so a restart takes it back.
 */
import { LabError } from '@expresslane/shared/base/errors'
import type { SessionId } from '@expresslane/shared/run/events'
import type { TestbedId } from '@expresslane/shared/testbed/id'
import type { Consent, HandView } from '@expresslane/shared/wire/hand'
import type { Session } from '@expresslane/shared/wire/protocol'
import type { HandsFrame } from '@expresslane/shared/wire/stream'
import type { TerminalView } from '@expresslane/shared/wire/terminal'
import type { Principal } from '../access/principal.ts'
import type { Clock } from '../runs/clock.ts'
import type { RunLog } from '../runs/log/run-log.ts'
import type { Hand, LoweredBy } from '../store/hands.ts'
import type { Store } from '../store/open.ts'
import type { Presence } from './presence.ts'

/** An instructor at the session of a participant. */
export interface Visit {
  readonly person: string
  readonly session: SessionId
  readonly testbed: TestbedId
  /** Aborts when either ends it. */
  readonly ended: AbortSignal
  /** Whether the participant lets the instructor type now. */
  mayType(): boolean
}

export interface Hands {
  /** Lowers the participant's hand in another session. Nothing changes for a hand that is up in this session. */
  raise(session: Session, stepId: string): void
  /** @throws LabError `not_found` without a hand, `nothing_to_do` for the consent to type while nobody looks */
  consent(session: SessionId, consent: Consent): void
  lower(session: SessionId, by: LoweredBy): void
  /** @param asks to type, too @throws LabError `not_found` without a hand, `not_allowed` without consent */
  look(by: Principal, session: SessionId, asks: boolean): void
  endVisit(session: SessionId): void
  visitsOf(by: Principal): Visit[]
  frame(to: Principal): HandsFrame
  /** Called after each change; a listener counts once. @returns unsubscribes */
  subscribe(listener: () => void): () => void
  /** Somebody lost their access. Ends the visit at once, also while another process has locked the store. */
  leave(person: string): Promise<void>
  close(): void
}

/** The open terminals of people. */
interface PeoplesTerminals {
  of(person: string, testbed: TestbedId): TerminalView[]
  subscribe(listener: () => void): () => void
}

export interface HandsParts {
  readonly store: Pick<Store, 'hands'>
  readonly log: Pick<RunLog, 'settled'>
  readonly presence: Presence
  readonly terminals: PeoplesTerminals
  readonly clock: Clock
  /** The people who are in the room. */
  readonly participants: () => readonly { readonly id: string; readonly name: string }[]
}

interface OpenVisit {
  readonly by: string
  readonly abort: AbortController
  typing: 'no' | 'asked' | 'allowed'
}

function noHand(): LabError {
  return new LabError('not_found', 'No hand is up in this session.', 'Raise the hand first: “I’m stuck” above the lab.')
}

function notLetIn(): LabError {
  return new LabError(
    'not_allowed',
    'The participant does not let you look.',
    'Ask them to press “Let the instructor look”.',
  )
}

function nobodyLooks(): LabError {
  return new LabError(
    'nothing_to_do',
    'Nobody looks at this session.',
    'Let the instructor look, and wait until they do.',
  )
}

/** Who lets the instructor look, and the visits: by session, in memory. */
function createVisits() {
  const letIn = new Set<SessionId>()
  const visits = new Map<SessionId, OpenVisit>()

  function end(session: SessionId): void {
    visits.get(session)?.abort.abort()
    visits.delete(session)
  }

  return {
    letsIn: (session: SessionId): boolean => letIn.has(session),
    letIn: (session: SessionId) => void letIn.add(session),
    /** Ends every consent. */
    takeBack(session: SessionId): void {
      letIn.delete(session)
      end(session)
    },
    of: (session: SessionId): OpenVisit | undefined => visits.get(session),
    begin(session: SessionId, by: string, asks: boolean): void {
      if (!letIn.has(session)) throw notLetIn()
      if (visits.get(session)?.by !== by) end(session)
      const visit = visits.get(session) ?? { by, abort: new AbortController(), typing: 'no' }
      if (asks && visit.typing === 'no') visit.typing = 'asked'
      visits.set(session, visit)
    },
    end,
    /** Ends those of an instructor. @returns whether there were any */
    endAll(of: string): boolean {
      const theirs = [...visits].filter(([, { by }]) => by === of)
      for (const [session] of theirs) end(session)
      return theirs.length > 0
    },
    allowTyping(session: SessionId, allowed: boolean): void {
      const visit = visits.get(session)
      if (visit !== undefined) visit.typing = allowed ? 'allowed' : 'no'
      else if (allowed) throw nobodyLooks()
    },
  }
}

export function createHands(parts: HandsParts): Hands {
  const { store, log, presence, terminals, clock, participants } = parts
  const visits = createVisits()
  const listeners = new Set<() => void>()

  function report(): void {
    for (const listener of listeners) listener()
  }

  function up(): Hand[] {
    const present = new Set(participants().map(({ id }) => id))
    return store.hands.up().filter(({ person }) => present.has(person))
  }

  function requireHand(session: SessionId): void {
    if (!up().some(({ sessionId }) => sessionId === session)) throw noHand()
  }

  function viewOf(hand: Hand, before: number, names: ReadonlyMap<string, string>): HandView {
    const { person, sessionId, labId, stepId, raisedAt, testbed } = hand
    const open = visits.of(sessionId)
    const visit =
      open === undefined ? null : { by: open.by, typing: open.typing, terminals: terminals.of(person, testbed) }
    const letsIn = visits.letsIn(sessionId)
    return { person, name: names.get(person) ?? person, sessionId, labId, stepId, raisedAt, before, letsIn, visit }
  }

  const unfollow = [
    terminals.subscribe(report),
    // An instructor closed their last page.
    presence.subscribe((id) => {
      if (!presence.isOnline(id) && visits.endAll(id)) report()
    }),
  ]

  return {
    raise({ id, owner }, stepId) {
      const mine = store.hands.up().filter(({ person }) => person === owner)
      if (mine.some(({ sessionId }) => sessionId === id)) return
      const now = clock.now()
      for (const { sessionId } of mine) {
        visits.takeBack(sessionId)
        store.hands.lower(sessionId, now, 'participant')
      }
      store.hands.raise({ sessionId: id, stepId, raisedAt: now })
      report()
    },
    consent(session, { letsIn, typing }) {
      // Before anything that can fail.
      if (letsIn === false) visits.takeBack(session)
      if (typing === false) visits.allowTyping(session, false)
      try {
        requireHand(session)
        if (letsIn === true) visits.letIn(session)
        if (typing === true) visits.allowTyping(session, true)
      } finally {
        report()
      }
    },
    lower(session, by) {
      visits.takeBack(session)
      try {
        store.hands.lower(session, clock.now(), by)
      } finally {
        report()
      }
    },
    look({ id }, session, asks) {
      requireHand(session)
      visits.begin(session, id, asks)
      report()
    },
    endVisit(session) {
      visits.end(session)
      report()
    },
    visitsOf({ id }) {
      return up().flatMap(({ person, sessionId, testbed }) => {
        const visit = visits.of(sessionId)
        if (visit?.by !== id) return []
        const ended = visit.abort.signal
        return [
          { person, session: sessionId, testbed, ended, mayType: () => visit.typing === 'allowed' && !ended.aborted },
        ]
      })
    },
    frame({ id, role }) {
      const names = new Map(participants().map((one) => [one.id, one.name]))
      const hands = up().map((hand, before) => viewOf(hand, before, names))
      return { type: 'hands', hands: role === 'instructor' ? hands : hands.filter(({ person }) => person === id) }
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async leave(person) {
      const theirs = store.hands.up().filter((hand) => hand.person === person)
      for (const { sessionId } of theirs) visits.takeBack(sessionId)
      report()
      if (theirs.length > 0) await log.settled()
      for (const { sessionId } of theirs) store.hands.lower(sessionId, clock.now(), 'left')
    },
    close() {
      for (const stop of unfollow) stop()
    },
  }
}
