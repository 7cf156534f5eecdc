/** Ends the parts of the server in order, all within one deadline. */
import type { Clock } from './runs/clock.ts'

/**
 * When each kind of part must have ended, in milliseconds after the beginning of the end: the process has ended after five
 * seconds, on a busy machine, too.
 */
export const endBy = { runs: 2700, connections: 3800, readings: 4000, testbeds: 4400 } as const

export interface Part {
  /** The names of the parts that have not ended, for people. */
  left(): readonly string[]
  stop(): Promise<unknown>
}

export interface Stopping {
  /** Ends parts at the same time; resolves when all have ended, or when their time is over. */
  end(kind: keyof typeof endBy, parts: readonly Part[]): Promise<void>
  /** The parts that did not end in time. */
  left(): readonly string[]
}

/** A part that has one name. */
export function named(name: string, stop: () => Promise<unknown>): Part {
  return { left: () => [name], stop }
}

/** @param onError called with the errors of parts, which do not keep the others from ending */
export function beginStopping(clock: Clock, onError: (error: unknown) => void): Stopping {
  const left = new Set<string>()

  function dueAfter(ms: number): Promise<'due'> {
    return new Promise((resolve) => void clock.after(ms, () => resolve('due')))
  }
  const due = {
    runs: dueAfter(endBy.runs),
    connections: dueAfter(endBy.connections),
    readings: dueAfter(endBy.readings),
    testbeds: dueAfter(endBy.testbeds),
  }

  async function stopped({ stop }: Part): Promise<void> {
    try {
      await stop()
    } catch (error) {
      onError(error)
    }
  }

  async function endPart(part: Part, over: Promise<'due'>): Promise<void> {
    if ((await Promise.race([stopped(part), over])) === 'due') for (const name of part.left()) left.add(name)
  }

  return {
    async end(kind, parts) {
      await Promise.all(parts.map((part) => endPart(part, due[kind])))
    },
    left: () => [...left],
  }
}
