/** Rooms of simulated learners, the same for the same seed. */
import { normal, seeded, type Random } from '../../../src/compare/stats/random.ts'
import type { Attempt, Learner } from '../../../src/report/room/steps/learner.ts'

export const BEGIN = Date.UTC(2026, 0, 1)
const MINUTE = 60_000
export const moment = { now: BEGIN + 90 * MINUTE, leftAfterMs: 15 * MINUTE }

/** How people do at a step. */
export interface Difficulty {
  /** The own time is so many times the usual time. */
  readonly time: number
  /** The share of runs that fail. */
  readonly fails: number
  /** The share of learners who leave at it. */
  readonly leaves: number
}

export const usual: Difficulty = { time: 1, fails: 0.1, leaves: 0.02 }

/** Steps of the lab that act, with the seconds that their text takes to read. */
type Steps = readonly { readonly stepId: string; readonly reading: number }[]

/** The runs that lead a learner past a step; `leaves` if the last one does not. */
function* attemptsAt(
  { stepId, reading }: Steps[number],
  { time, fails, leaves }: Difficulty,
  pace: number,
  random: Random,
): Generator<{ stepId: string; thinks: number; waits: number; passes: boolean } | 'leaves'> {
  if (random() < leaves) {
    yield 'leaves'
    return
  }
  for (;;) {
    const thinks = reading * 1000 * pace * time * Math.exp(0.5 * normal(random))
    const passes = random() >= fails
    // A machine that others measure on makes a run wait for a minute or two: no learner's own time.
    yield { stepId, thinks, waits: 2000 + random() * 2 * MINUTE, passes }
    if (passes) return
  }
}

const named = (number: number): string => String(number).padStart(8, '0')

/**
 * @param hard the difficulty of a step by its id; others are usual
 * @param minutes when the workshop ends, after its begin
 */
export function learnersOf(
  seed: number,
  steps: Steps,
  hard: Readonly<Record<string, Difficulty>> = {},
  { people = 30, minutes = 90 } = {},
): Learner[] {
  const random = seeded(seed)
  const end = BEGIN + minutes * MINUTE
  return Array.from({ length: people }, (_, index) => {
    const startedAt = BEGIN + random() * 5 * MINUTE
    const pace = 2 * Math.exp(0.3 * normal(random))
    const attempts: Attempt[] = []
    let [at, left] = [startedAt, false]
    const passed = new Set<string>()
    for (const step of steps) {
      if (left || at > end) break
      for (const one of attemptsAt(step, hard[step.stepId] ?? usual, pace, random)) {
        if (one === 'leaves') {
          left = true
          break
        }
        const requestedAt = at + one.thinks
        if (requestedAt > end) {
          at = requestedAt
          break
        }
        const ended = requestedAt + one.waits
        const endedAt = ended > end ? null : ended
        const done = one.passes ? 'passed' : 'failed'
        attempts.push({
          runId: `r_${named(index)}${named(attempts.length)}`,
          stepId: step.stepId,
          requestedAt,
          endedAt,
          end: endedAt === null ? 'open' : done,
          solved: false,
          onTheWay: false,
          hint: endedAt !== null && !one.passes,
        })
        if (one.passes && endedAt !== null) passed.add(step.stepId)
        at = ended
      }
    }
    const next = steps.find(({ stepId }) => !passed.has(stepId))?.stepId ?? null
    const [id, name, sessionId] = [`p${index}`, `Learner ${index}`, `s_${named(index)}`]
    return { id, name, sessionId, startedAt, stepId: next, attempts, hands: [], online: !left }
  })
}
