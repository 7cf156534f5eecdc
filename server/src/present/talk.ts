/** A talk: the step that is shown of a session, with its lab, its runs and its question; and how it outlives a restart. */
import { LabError } from '@expresslane/shared/base/errors'
import type { Lab, Step } from '@expresslane/shared/labs/lab'
import { isOpenFor } from '@expresslane/shared/run/progress'
import type { FindLab } from '../runs/coordination/busy.ts'
import { sessionStates, type SessionRunsParts } from '../runs/log/session-runs.ts'
import type { Clock } from '../runs/clock.ts'
import type { Store } from '../store/open.ts'
import type { KeptTalk } from '../store/presentations.ts'
import type { Shown } from './autopilot.ts'

/** Between two attempts to keep the talk. */
const KEEP_AGAIN_MS = 1_000

export type Talk = Omit<KeptTalk, 'autopilot' | 'pace'>

export function notPresented(): LabError {
  return new LabError('not_presented', 'Nothing is presented now.', 'Begin the presentation on the page of a lab.')
}

/** @throws LabError `not_found` */
export function requireStep(lab: Lab | undefined, stepId: string): Step {
  const step = lab?.steps.find(({ id }) => id === stepId)
  if (step !== undefined) return step
  throw new LabError('not_found', 'This lab has no such step.', 'Reload the page to see the current labs.')
}

export interface TalkParts extends SessionRunsParts {
  readonly store: Pick<Store, 'sessions'>
  readonly findLab: FindLab
}

export function labOf({ store, findLab }: TalkParts, { sessionId }: Talk): Lab | undefined {
  const session = store.sessions.find(sessionId)
  return session === null ? undefined : findLab(session.labId)
}

/** @throws LabError `not_found`, `not_presented` when the step, or the session with its lab, no longer exists */
export function shownIn(parts: TalkParts, talk: Talk): Shown {
  const session = parts.store.sessions.find(talk.sessionId)
  const lab = labOf(parts, talk)
  const step = requireStep(lab, talk.stepId)
  if (session === null || lab === undefined) throw notPresented()
  const runs = sessionStates(parts, talk.sessionId)
  return { session, lab, step, runs, asks: step.question !== null && isOpenFor(step.id, runs) }
}

/**
 * Keeps the talk for a restart. Until the store can be written the talk goes on, and this is tried again.
 *
 * @param talk returns the talk as it is to be kept; null while there is none
 */
export function createKeeper(presentations: Store['presentations'], clock: Clock, talk: () => KeptTalk | null) {
  let kept: KeptTalk | null = null

  function keepNow(): void {
    const now = talk()
    if (JSON.stringify(now) === JSON.stringify(kept)) return
    if (now === null) presentations.clear()
    else presentations.keep(now)
    kept = now
  }

  function keep(): void {
    try {
      keepNow()
    } catch (error) {
      if (!(error instanceof LabError)) throw error
      clock.after(KEEP_AGAIN_MS, keep)
    }
  }

  return {
    /** The talk of an earlier process. */
    read(): KeptTalk | null {
      kept = presentations.read()
      return kept
    },
    keep,
  }
}
