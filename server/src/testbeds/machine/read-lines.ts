/** Reads the output of a process, line by line, and only as fast as somebody takes it. */
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { Line } from './spawner-messages.ts'

/** So many lines can be on their way. The process has to wait before it can print more. */
export const MOST_AHEAD = 1000

export interface LineReader {
  /** So many lines were taken. */
  taken(lines: number): void
  /** Passes on the rest. To be called when the outputs have closed. */
  last(): void
}

/** @param pass called as soon as lines are there, with all that came together */
export function readLines(
  outputs: Readonly<Record<'stdout' | 'stderr', Readable>>,
  pass: (lines: readonly Line[]) => void,
): LineReader {
  let lines: Line[] = []
  let ahead = 0
  const both = Object.values(outputs)

  function flush(): void {
    if (lines.length === 0) return
    const all = lines
    lines = []
    ahead += all.length
    if (ahead >= MOST_AHEAD) for (const output of both) output.pause()
    pass(all)
  }

  for (const stream of ['stdout', 'stderr'] as const) {
    createInterface({ input: outputs[stream], crlfDelay: Infinity }).on('line', (text) => {
      if (lines.push([stream, text]) === 1) queueMicrotask(flush)
    })
  }
  return {
    taken(count) {
      ahead -= count
      if (ahead < MOST_AHEAD) for (const output of both) output.resume()
    },
    last: flush,
  }
}
