/** The talk about a session: its present state, and the commands that lead it. */
import {
  commandPresentation,
  endPresentation,
  present,
  readPresentation,
  type Presentation,
  type PresentCommand,
} from '@expresslane/shared/wire/presentation'
import type { Session } from '@expresslane/shared/wire/protocol'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLive } from '../api/live.tsx'
import { call } from '../api/request.ts'

export interface Talk {
  /** Null while this session is not presented. */
  readonly now: Presentation | null
  /** Whether the talk is being looked up or begun, until the stream shows it. */
  readonly starting: boolean
  readonly begin: (stepId: string) => void
  readonly lead: (command: PresentCommand) => void
  readonly end: () => void
  /** Why the latest request failed; null if it did not. */
  readonly error: Error | null
}

/** @param beginAt the step to begin at if this session is not presented yet; null to wait until somebody begins */
export function useTalk(session: Session, beginAt: string | null): Talk {
  const sessionId = session.id
  const live = useLive((snapshot) => snapshot.presentation)
  const now = live?.sessionId === sessionId ? live : null
  const known = useQuery({
    queryKey: ['presentation', sessionId],
    queryFn: () => call(readPresentation),
    staleTime: Infinity,
    gcTime: 0,
  })
  const beginning = useMutation({ mutationFn: (stepId: string) => call(present, { body: { sessionId, stepId } }) })
  const leading = useMutation({ mutationFn: (body: PresentCommand) => call(commandPresentation, { body }) })
  const ending = useMutation({ mutationFn: () => call(endPresentation) })
  const asked = useRef(false)
  const { mutate: begin } = beginning
  const presented = known.data?.presentation?.sessionId ?? null
  const [seen, setSeen] = useState(false)
  if (now !== null && !seen) setSeen(true)
  const connecting = useLive((snapshot) => snapshot.connection) === 'connecting'
  const isFound = known.isSuccess && presented === sessionId
  const willBegin = known.isSuccess && !isFound && beginAt !== null && beginning.isIdle
  // Its frame can arrive later than the answer to the request.
  const isAwaited = !seen && (beginning.isSuccess || (isFound && connecting))
  useEffect(() => {
    // Once: a talk that was ended elsewhere stays ended.
    if (!known.isSuccess || asked.current || beginAt === null) return
    asked.current = true
    if (!isFound) begin(beginAt)
  }, [known.isSuccess, isFound, beginAt, begin])
  return {
    now,
    starting: known.isPending || willBegin || beginning.isPending || isAwaited,
    begin(stepId) {
      setSeen(false)
      begin(stepId)
    },
    lead: leading.mutate,
    end: ending.mutate,
    error: known.error ?? beginning.error ?? leading.error ?? ending.error,
  }
}
