/** How long a step stays on the screen when nobody presses a key. */
import type { Step } from '../labs/lab.ts'

/** Slow readers, with a glance at the path. */
const WORDS_PER_SECOND = 3
const SHORTEST_SECONDS = 5
const LONGEST_SECONDS = 60

/** The pause that the lab plans; for a step without one, the time that it takes to read it. In seconds. */
export function pauseOf({ pauseSeconds, prose }: Pick<Step, 'pauseSeconds' | 'prose'>): number {
  if (pauseSeconds !== null) return pauseSeconds
  const words = prose.split(/\s+/).filter((word) => word !== '').length
  return Math.min(LONGEST_SECONDS, Math.max(SHORTEST_SECONDS, Math.ceil(words / WORDS_PER_SECOND)))
}
