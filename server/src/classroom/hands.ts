/**
 * Hands of participants who are stuck, in order, and sessions that participants share with the instructor. The store keeps the
 * hands; consent is in memory only, so a restart takes it back.
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

/** A session that a participant shares with an instructor, who looks at it now. */
export interface Sharing {
  readonly person: string
  readonly session: SessionId
  readonly testbed: TestbedId
  /** Aborts when either ends it. */
  readonly ended: AbortSignal
  /** True while the participant lets the instructor type. */
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
  endSharing(session: SessionId): void
  sharingsWith(by: Principal): Sharing[]
  frame(to: Principal): HandsFrame
  /** Called after each change; a listener counts once. @returns unsubscribes */
  subscribe(listener: () => void): () => void
  /** Somebody lost their access. Ends the sharing at once, also while another process has locked the store. */
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

interface OpenSharing {
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

/** The consents of participants, and the sessions that an instructor looks at: in memory. */
function createSharings() {
  const letIn = new Set<SessionId>()
  const sharings = new Map<SessionId, OpenSharing>()

  function end(session: SessionId): void {
    sharings.get(session)?.abort.abort()
    sharings.delete(session)
  }

  return {
    letsIn: (session: SessionId): boolean => letIn.has(session),
    letIn: (session: SessionId) => void letIn.add(session),
    /** Ends every consent. */
    takeBack(session: SessionId): void {
      letIn.delete(session)
      end(session)
    },
    of: (session: SessionId): OpenSharing | undefined => sharings.get(session),
    begin(session: SessionId, by: string, asks: boolean): void {
      if (!letIn.has(session)) throw notLetIn()
      if (sharings.get(session)?.by !== by) end(session)
      const sharing = sharings.get(session) ?? { by, abort: new AbortController(), typing: 'no' }
      if (asks && sharing.typing === 'no') sharing.typing = 'asked'
      sharings.set(session, sharing)
    },
    end,
    /** Ends every sharing with an instructor. @returns false if there was none */
    endAll(of: string): boolean {
      const theirs = [...sharings].filter(([, { by }]) => by === of)
      for (const [session] of theirs) end(session)
      return theirs.length > 0
    },
    allowTyping(session: SessionId, allowed: boolean): void {
      const sharing = sharings.get(session)
      if (sharing !== undefined) sharing.typing = allowed ? 'allowed' : 'no'
      else if (allowed) throw nobodyLooks()
    },
  }
}

export function createHands(parts: HandsParts): Hands {
  const { store, log, presence, terminals, clock, participants } = parts
  const sharings = createSharings()
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
    const open = sharings.of(sessionId)
    const sharing =
      open === undefined ? null : { by: open.by, typing: open.typing, terminals: terminals.of(person, testbed) }
    const letsIn = sharings.letsIn(sessionId)
    return { person, name: names.get(person) ?? person, sessionId, labId, stepId, raisedAt, before, letsIn, sharing }
  }

  const unfollow = [
    terminals.subscribe(report),
    // An instructor closed their last page.
    presence.subscribe((id) => {
      if (!presence.isOnline(id) && sharings.endAll(id)) report()
    }),
  ]

  return {
    raise({ id, owner }, stepId) {
      const mine = store.hands.up().filter(({ person }) => person === owner)
      if (mine.some(({ sessionId }) => sessionId === id)) return
      const now = clock.now()
      for (const { sessionId } of mine) {
        sharings.takeBack(sessionId)
        store.hands.lower(sessionId, now, 'participant')
      }
      store.hands.raise({ sessionId: id, stepId, raisedAt: now })
      report()
    },
    consent(session, { letsIn, typing }) {
      // Before anything that can fail.
      if (letsIn === false) sharings.takeBack(session)
      if (typing === false) sharings.allowTyping(session, false)
      try {
        requireHand(session)
        if (letsIn === true) sharings.letIn(session)
        if (typing === true) sharings.allowTyping(session, true)
      } finally {
        report()
      }
    },
    lower(session, by) {
      sharings.takeBack(session)
      try {
        store.hands.lower(session, clock.now(), by)
      } finally {
        report()
      }
    },
    look({ id }, session, asks) {
      requireHand(session)
      sharings.begin(session, id, asks)
      report()
    },
    endSharing(session) {
      sharings.end(session)
      report()
    },
    sharingsWith({ id }) {
      return up().flatMap(({ person, sessionId, testbed }) => {
        const sharing = sharings.of(sessionId)
        if (sharing?.by !== id) return []
        const ended = sharing.abort.signal
        return [
          { person, session: sessionId, testbed, ended, mayType: () => sharing.typing === 'allowed' && !ended.aborted },
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
      for (const { sessionId } of theirs) sharings.takeBack(sessionId)
      report()
      if (theirs.length > 0) await log.settled()
      for (const { sessionId } of theirs) store.hands.lower(sessionId, clock.now(), 'left')
    },
    close() {
      for (const stop of unfollow) stop()
    },
  }
}
