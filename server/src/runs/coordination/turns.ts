/** The solves of this process. Their waiting runs start in the order of the line, when what they need is free. */
import { LabError, type Problem } from '@expresslane/shared/base/errors'
import type { QueuePlace, RunId } from '@expresslane/shared/run/events'
import type { RunRow } from '../../store/runs.ts'
import { inRun } from '../log/current-run.ts'
import { carryOut, idsOf } from './chain.ts'
import { enterRun, type RunParts } from './run.ts'
import { abortSolve, type Solve } from './solve.ts'
import { endLost, takeOver } from './take-over.ts'

export interface TurnsParts extends RunParts {
  /** Whether to take over the queued runs of ended processes. False for a command that ends soon. */
  readonly adopts: boolean
}

export function createTurns(parts: TurnsParts) {
  const { store, log, queue, onError, adopts } = parts
  const solves = new Set<Solve>()
  /** Runs of this process whose end could not be stored, and why. */
  const lost = new Map<RunId, Problem>()
  let closing = false

  /** A function that finds a run among those of this process, as they are now. */
  function ownership(): (run: Pick<RunRow, 'id'>) => boolean {
    const own = new Set([...solves].map(({ run }) => run.id))
    return ({ id }) => own.has(id)
  }

  async function carry(solve: Solve): Promise<void> {
    try {
      await carryOut({ ...parts, advance: advanceSafely }, solve)
    } catch (error) {
      // The store failed. The run is still open in it and is recovered when the store works again.
      if (error instanceof LabError) lost.set(solve.run.id, error.toProblem())
      inRun(idsOf(solve), () => onError(error))
    } finally {
      solves.delete(solve)
    }
  }

  /** @returns whether the run now waits in this process */
  function adopt(row: RunRow): boolean {
    const solve = takeOver(parts, row)
    if (solve === null) return false
    solve.turn = Promise.withResolvers()
    solves.add(solve)
    solve.settled = carry(solve)
    return true
  }

  function advance(): void {
    if (closing) return
    const waiting = [...solves].filter(({ turn }) => turn !== null)
    for (const solve of waiting) {
      // A run whose start is reported just now has its turn still, and goes on.
      const row = store.runs.find(solve.run.id)
      if (row?.state !== 'queued' && row?.state !== 'running') abortSolve(solve, 'cancelled in another process')
    }
    if (store.runs.queued().length === 0) return
    const { granted, orphans } = log.together((append) => queue.advance(append, ownership()))
    const starts = new Set(granted.map(({ id }) => id))
    for (const solve of waiting) if (starts.has(solve.run.id)) solve.turn?.resolve()
    if (adopts && orphans.filter(adopt).length > 0) advance()
  }

  function advanceSafely(): void {
    try {
      advance()
    } catch (error) {
      onError(error)
    }
  }

  return {
    /** The solves that run or wait. */
    solves,
    /** Starts a solve's first run, or queues it. @returns its place in the queue; null if it runs */
    begin(solve: Solve): QueuePlace | null {
      // Before it is reported, so that a listener can cancel it.
      solves.add(solve)
      try {
        const place = log.together((append) => enterRun(parts, append, solve))
        solve.settled = carry(solve)
        advanceSafely()
        return place
      } catch (error) {
        solves.delete(solve)
        throw error
      }
    },
    /** Starts the runs whose turn has come. Never throws. */
    advance: advanceSafely,
    /** Ends the runs of ended processes, and starts the runs whose turn has come. */
    tend(): void {
      endLost(parts, ownership(), lost)
      advance()
    },
    /** Cancels the running runs and waits until that is recorded. Queued runs stay queued for the next process. */
    async close(): Promise<void> {
      closing = true
      const all = [...solves]
      for (const solve of all) abortSolve(solve, 'the server is stopping')
      await Promise.all(all.map(({ settled }) => settled))
    },
  }
}
