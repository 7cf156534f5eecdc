/** Counts turns of the event loop. */
export interface TurnCount {
  /** So far. */
  count(): number
  stop(): void
}

export function countTurns(): TurnCount {
  let turns = 0
  let next = setImmediate(turn)
  function turn(): void {
    turns += 1
    next = setImmediate(turn)
  }
  return { count: () => turns, stop: () => clearImmediate(next) }
}
