/** A person's guesses, kept in the browser by session and step: nobody else sees one, and no score is made of them. */
import { pollAnswer, type PollAnswer } from '@expresslane/shared/wire/presentation'

/** An answer, or that the person did not want to guess. */
export type Guess = PollAnswer | 'skipped'

const keyOf = (sessionId: string, stepId: string): string => `guess ${sessionId} ${stepId}`

/** Null before a guess, and in a browser that keeps nothing. */
export function readGuess(sessionId: string, stepId: string): Guess | null {
  try {
    const kept = localStorage.getItem(keyOf(sessionId, stepId))
    return kept === 'skipped' ? kept : (pollAnswer.safeParse(kept).data ?? null)
  } catch {
    return null
  }
}

/** @throws DOMException in a browser that keeps nothing */
export function keepGuess(sessionId: string, stepId: string, guess: Guess): void {
  localStorage.setItem(keyOf(sessionId, stepId), guess)
}
