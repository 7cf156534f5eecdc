/** Turns of the event loop, for long work in small parts. */

const waiting: (() => void)[] = []

function next(): void {
  waiting.shift()?.()
  // Not in this turn: an immediate that is set by another one runs in the next.
  if (waiting.length > 0) setImmediate(next)
}

/**
 * Resolves in a later turn of the event loop. In each turn a single waiting task goes on: if many clients read much at
 * once, another client waits for one part, not for a part of each.
 */
export function letOthers(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(next)
  })
}
