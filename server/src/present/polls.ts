/** Followers' answers to a talk's questions: counted in memory, and never stored with who gave them. */
import { createHmac, randomBytes } from 'node:crypto'
import type { Poll, PollAnswer } from '@expresslane/shared/wire/presentation'

/** Who answers: a person, and the network that they come from. */
export interface Voter {
  readonly id: string
  readonly network: string
}

export interface Polls {
  /**
   * Keeps an answer per person and step; a later answer replaces it. A program that sends requests without a cookie is
   * a new person each time, so answers are limited by network: twice the most people seen from there at once, and ten
   * in any case. The oldest answer gives way.
   *
   * @param here how many people from the voter's network follow now
   */
  answer(stepId: string, voter: Voter, here: number, answer: PollAnswer): void
  /** Somebody has left: their answers to open questions do not count any more. */
  withdraw(person: string, isOpen: (stepId: string) => boolean): void
  tally(stepId: string): Poll['answers']
  /** Forgets all answers, and who gave any: for another talk, or after a reset. */
  clear(): void
}

/** So many answers from one network count, however few follow from there. */
const ALWAYS = 10

interface Given {
  readonly answer: PollAnswer
  readonly network: string
}

export function createPolls(): Polls {
  /** People and networks are kept as hashes under a key that exists only during this talk. */
  let key = randomBytes(32)
  const answers = new Map<string, Map<string, Given>>()
  /** The most people of a network that were seen at once. */
  const seen = new Map<string, number>()
  const hidden = (text: string): string => createHmac('sha256', key).update(text).digest('base64url')

  return {
    answer(stepId, { id, network: from }, here, answer) {
      const [person, network] = [hidden(id), hidden(from)]
      const most = Math.max(seen.get(network) ?? 0, here)
      seen.set(network, most)
      const of = answers.get(stepId) ?? new Map<string, Given>()
      answers.set(stepId, of)
      of.delete(person)
      of.set(person, { answer, network })
      const near = [...of].filter(([, given]) => given.network === network)
      const [oldest] = near
      if (oldest !== undefined && near.length > Math.max(ALWAYS, 2 * most)) of.delete(oldest[0])
    },
    withdraw(person, isOpen) {
      for (const [stepId, of] of answers) if (isOpen(stepId)) of.delete(hidden(person))
    },
    tally(stepId) {
      const given = [...(answers.get(stepId)?.values() ?? [])]
      const count = (one: PollAnswer): number => given.filter(({ answer }) => answer === one).length
      return { faster: count('faster'), slower: count('slower'), 'no-difference': count('no-difference') }
    },
    clear() {
      key = randomBytes(32)
      answers.clear()
      seen.clear()
    },
  }
}
