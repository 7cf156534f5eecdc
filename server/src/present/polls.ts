/** Followers' answers to a talk's questions: counted in memory, and never stored with who gave them. */
import { createHmac, randomBytes } from 'node:crypto'
import type { Poll, PollAnswer } from '@expresslane/shared/wire/presentation'

export interface Polls {
  /** One answer per person and step; a later one replaces it. */
  answer(stepId: string, person: string, answer: PollAnswer): void
  tally(stepId: string): Poll['answers']
  /** Forgets all answers, and who gave any: for another talk or walk. */
  clear(): void
}

export function createPolls(): Polls {
  /** People are kept as hashes under a key that exists only during this talk. */
  let key = randomBytes(32)
  const answers = new Map<string, Map<string, PollAnswer>>()
  return {
    answer(stepId, person, answer) {
      const of = answers.get(stepId) ?? new Map<string, PollAnswer>()
      answers.set(stepId, of)
      of.set(createHmac('sha256', key).update(person).digest('base64url'), answer)
    },
    tally(stepId) {
      const given = [...(answers.get(stepId)?.values() ?? [])]
      const count = (one: PollAnswer): number => given.filter((answer) => answer === one).length
      return { faster: count('faster'), slower: count('slower'), 'no-difference': count('no-difference') }
    },
    clear() {
      key = randomBytes(32)
      answers.clear()
    },
  }
}
