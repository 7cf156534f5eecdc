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
  /** Called after each change. @returns unsubscribes */
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
    'Ask them to choose “Let the instructor look”.',
  )
}

function nobodyLooks(): LabError {
  return new LabError(
    'nothing_to_do',
    'Nobody looks at this session.',
    'Let the instructor look, and wait until they do.',
  )
}

export function createHands(parts: HandsParts): Hands {
  const { store, log, presence, terminals, clock, participants } = parts
  const letIn = new Set<SessionId>()
  const visits = new Map<SessionId, OpenVisit>()
  const listeners = new Set<() => void>()

  function report(): void {
    for (const listener of listeners) listener()
  }

  function up(): Hand[] {
    const present = new Set(participants().map(({ id }) => id))
    return store.hands.up().filter(({ person }) => present.has(person))
  }

  function require(session: SessionId): Hand {
    const found = up().find(({ sessionId }) => sessionId === session)
    if (found === undefined) throw noHand()
    return found
  }

  function endVisit(session: SessionId): void {
    visits.get(session)?.abort.abort()
    visits.delete(session)
  }

  function takeBack(session: SessionId): void {
    letIn.delete(session)
    endVisit(session)
  }

  function viewOf(hand: Hand, before: number, names: ReadonlyMap<string, string>): HandView {
    const { person, sessionId, labId, stepId, raisedAt, testbed } = hand
    const visit = visits.get(sessionId)
    return {
      person,
      name: names.get(person) ?? person,
      sessionId,
      labId,
      stepId,
      raisedAt,
      before,
      letsIn: letIn.has(sessionId),
      visit:
        visit === undefined ? null : { by: visit.by, typing: visit.typing, terminals: terminals.of(person, testbed) },
    }
  }

  function allowTyping(session: SessionId, allowed: boolean): void {
    const visit = visits.get(session)
    if (visit !== undefined) visit.typing = allowed ? 'allowed' : 'no'
    else if (allowed) throw nobodyLooks()
  }

  const unfollow = [
    terminals.subscribe(report),
    // The instructor closed their last page.
    presence.subscribe((id) => {
      if (presence.isOnline(id)) return
      for (const [session, { by }] of visits) if (by === id) endVisit(session)
      report()
    }),
  ]

  return {
    raise({ id, owner }, stepId) {
      const mine = store.hands.up().filter(({ person }) => person === owner)
      if (mine.some(({ sessionId }) => sessionId === id)) return
      const now = clock.now()
      for (const { sessionId } of mine) {
        takeBack(sessionId)
        store.hands.lower(sessionId, now, 'participant')
      }
      store.hands.raise({ sessionId: id, stepId, raisedAt: now })
      report()
    },
    consent(session, { letsIn, typing }) {
      // Before anything that can fail.
      if (letsIn === false) takeBack(session)
      else if (typing === false) allowTyping(session, false)
      try {
        require(session)
        if (letsIn === true) letIn.add(session)
        if (typing === true) allowTyping(session, true)
      } finally {
        report()
      }
    },
    lower(session, by) {
      takeBack(session)
      try {
        store.hands.lower(session, clock.now(), by)
      } finally {
        report()
      }
    },
    look({ id }, session, asks) {
      require(session)
      if (!letIn.has(session)) throw notLetIn()
      const present = visits.get(session)
      if (present !== undefined && present.by !== id) endVisit(session)
      const visit = visits.get(session) ?? { by: id, abort: new AbortController(), typing: 'no' as const }
      visits.set(session, { ...visit, typing: asks && visit.typing === 'no' ? 'asked' : visit.typing })
      report()
    },
    endVisit(session) {
      endVisit(session)
      report()
    },
    visitsOf({ id }) {
      return up().flatMap(({ person, sessionId, testbed }) => {
        const visit = visits.get(sessionId)
        if (visit?.by !== id) return []
        const mayType = (): boolean => visits.get(sessionId)?.typing === 'allowed' && !visit.abort.signal.aborted
        return [{ person, session: sessionId, testbed, ended: visit.abort.signal, mayType }]
      })
    },
    frame({ id, role }) {
      const names = new Map(participants().map((one) => [one.id, one.name]))
      const hands = up().map((hand, before) => viewOf(hand, before, names))
      return { type: 'hands', hands: role === 'instructor' ? hands : hands.filter(({ person }) => person === id) }
    },
    subscribe(listener) {
      const subscribed = (): void => listener()
      listeners.add(subscribed)
      return () => listeners.delete(subscribed)
    },
    async leave(person) {
      const theirs = store.hands.up().filter((hand) => hand.person === person)
      for (const { sessionId } of theirs) takeBack(sessionId)
      report()
      if (theirs.length > 0) await log.settled()
      for (const { sessionId } of theirs) store.hands.lower(sessionId, clock.now(), 'left')
    },
    close() {
      for (const stop of unfollow) stop()
      for (const session of visits.keys()) endVisit(session)
    },
  }
}
