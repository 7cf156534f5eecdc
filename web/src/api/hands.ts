/** Hands that are up in a workshop, and sessions that participants share. */
import {
  giveConsent,
  leaveSession,
  lookAtSession,
  lowerHand,
  raiseHand,
  type Consent,
  type HandView,
} from '@expresslane/shared/wire/hand'
import type { SessionId } from '@expresslane/shared/run/events'
import { useMutation } from '@tanstack/react-query'
import { useLive } from './live.tsx'
import { useMe } from './queries.ts'
import { call } from './request.ts'

/** An instructor sees all hands, a participant their own. */
export function useHands(): readonly HandView[] {
  return useLive((snapshot) => snapshot.hands)
}

/** How a participant shares a session with this instructor; null while they do not look at it. */
export function useSharing(session: SessionId): HandView['sharing'] {
  const hand = useHands().find(({ sessionId }) => sessionId === session)
  const me = useMe().data?.id
  return hand?.sharing?.by === me ? (hand?.sharing ?? null) : null
}

/** The stream reports each change. */
export function useHandChanges(session: SessionId) {
  const params = { id: session }
  return {
    raise: useMutation({ mutationFn: (step: string) => call(raiseHand, { params: { ...params, step } }) }),
    lower: useMutation({ mutationFn: () => call(lowerHand, { params }) }),
    consent: useMutation({ mutationFn: (body: Consent) => call(giveConsent, { params, body }) }),
    look: useMutation({ mutationFn: (typing: boolean) => call(lookAtSession, { params, body: { typing } }) }),
    leave: useMutation({ mutationFn: () => call(leaveSession, { params }) }),
  }
}
