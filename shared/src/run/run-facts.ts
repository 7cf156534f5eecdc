/** The facts of a run that a session's progress needs, from the run's state or from its row in the store. Pure. */
import type { ErrorCode } from '../base/errors.ts'
import { RESET_STEP, type RunId } from './events.ts'
import { hasPassed, hasStarted, isOpen, type RunState } from './run-state.ts'

export interface RunFacts {
  readonly id: RunId
  readonly stepId: string
  readonly state: RunState['state']
  readonly incarnation: string
  readonly lastSeq: number
  /** False for a queued run, and for a run that was cancelled in the queue. */
  readonly started: boolean
  readonly passed: boolean
  /** Whether it has measurements, warm-ups included. */
  readonly measured: boolean
  readonly problem: ErrorCode | null
}

export function factsOfRun(run: RunState): RunFacts {
  const { id, stepId, state, incarnation, lastSeq, repeats, problem } = run
  return {
    id,
    stepId,
    state,
    incarnation,
    lastSeq,
    started: hasStarted(run),
    passed: hasPassed(run),
    measured: repeats.some(({ measurement }) => measurement !== null),
    problem: problem?.code ?? null,
  }
}

interface SinceReset {
  /** The last completed reset; null if there was none. */
  readonly reset: RunFacts | null
  /** Oldest first. */
  readonly runs: readonly RunFacts[]
}

/**
 * The runs after the last completed reset. A testbed has one run at a time, so a session's runs never
 * overlap and `lastSeq` orders them.
 */
export function sinceReset(runs: readonly RunFacts[]): SinceReset {
  // A run that was cancelled in the queue did nothing.
  const ordered = runs.filter((run) => run.started || isOpen(run)).toSorted((a, b) => a.lastSeq - b.lastSeq)
  const reset = ordered.findLastIndex(({ stepId, passed }) => stepId === RESET_STEP && passed)
  return { reset: ordered[reset] ?? null, runs: ordered.slice(reset + 1) }
}

/** The latest run of each step that `counts`. */
function latest(runs: readonly RunFacts[], counts: (run: RunFacts) => boolean): RunFacts[] {
  return [...new Map(runs.filter(counts).map((run) => [run.stepId, run])).values()]
}

/**
 * The runs that show a session, oldest first: since the last reset, of each step the latest run, the latest that completed, passed,
 * measured, or missed its pods, and the measurements before a run that can have compared them. The
 * others were done again.
 */
export function shownRuns(all: readonly RunFacts[]): RunFacts[] {
  const { reset, runs } = sinceReset(all)
  const shown = new Set(
    [
      latest(runs, () => true),
      latest(runs, ({ state }) => state === 'completed'),
      latest(runs, ({ passed }) => passed),
      latest(runs, ({ measured }) => measured),
      latest(runs, ({ problem }) => problem !== null && podsGone.has(problem)),
    ].flat(),
  )
  for (const run of latest(runs, ({ state, measured }) => state === 'completed' && !measured)) {
    const before = runs.filter(({ lastSeq }) => lastSeq < run.lastSeq)
    for (const one of latest(before, ({ state, measured }) => measured && state === 'completed')) shown.add(one)
  }
  return [...(reset === null ? [] : [reset]), ...runs.filter((run) => shown.has(run))]
}

/** The codes of a run that needed pods and found none, or lost them. */
export const podsGone: ReadonlySet<ErrorCode> = new Set(['testbed_gone', 'step_not_ready'])
