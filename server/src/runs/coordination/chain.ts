/** Carries a solve out: one run after the other, each when its turn comes. */
import { LabError } from '@expresslane/shared/base/errors'
import type { TestbedId } from '@expresslane/shared/testbed/id'
import type { SharedResources } from '../../testbeds/resources.ts'
import { inRun, type RunIds } from '../log/current-run.ts'
import { sessionRuns } from '../log/session-runs.ts'
import { stepsFrom } from './plan.ts'
import { endRun, enterRun, NOTHING_SHARED, performRun, startRun, type Ending, type RunParts } from './run.ts'
import type { Solve } from './solve.ts'

export interface ChainParts extends RunParts {
  /** Starts the runs whose turn has come. Never throws. */
  advance(): void
}

export const idsOf = ({ run, session }: Solve): RunIds => ({ runId: run.id, sessionId: session.id })

/** The exclusive resources for runs on a testbed; none if the testbed can't be created, since nothing will run there. */
export async function sharedOn({ status, onError }: RunParts, testbed: TestbedId): Promise<SharedResources> {
  try {
    return await status.resources(testbed)
  } catch (error) {
    if (!(error instanceof LabError)) onError(error)
    return NOTHING_SHARED
  }
}

/** The incarnation for the next run; the current one if it can't be read. */
async function incarnationFor({ status, onError }: RunParts, { session, run }: Solve): Promise<string> {
  try {
    return (await status.incarnation(session.testbed)) ?? run.incarnation
  } catch (error) {
    onError(error)
    return run.incarnation
  }
}

/** After a rebuild of the testbed while the run waited, earlier steps of its solve must run again. */
function planAgain(parts: RunParts, solve: Solve, incarnation: string): void {
  const { lab, solveTo, session, run } = solve
  const rebuilt = incarnation !== run.incarnation && solveTo !== null
  const [step, ...remaining] = rebuilt ? stepsFrom(lab, solveTo, sessionRuns(parts, session.id), incarnation) : []
  solve.run = { id: run.id, step: step ?? run.step, incarnation }
  if (step !== undefined) solve.remaining = remaining
}

/** Waits until the current run has started. @returns false if it was cancelled, or if the server stops */
async function hasStarted(parts: ChainParts, solve: Solve): Promise<boolean> {
  while (solve.turn !== null) {
    await solve.turn.promise
    if (solve.cancelled) return false
    solve.shared ??= await sharedOn(parts, solve.session.testbed)
    const incarnation = await incarnationFor(parts, solve)
    await parts.log.settled()
    if (solve.cancelled) return false
    planAgain(parts, solve, incarnation)
    const start = startRun(parts, solve)
    if (start === 'cancelled') return false
    if (start === 'waits') parts.advance()
  }
  return true
}

/**
 * Ends the current run and starts or queues the next in one transaction, so that no other run gets in between.
 *
 * @returns whether there is a next one
 */
async function endAndGoOn(parts: RunParts, solve: Solve, ending: Ending): Promise<boolean> {
  const { store, log, ids } = parts
  const { id } = solve.run
  await log.settled()
  const passed = log.state(id)?.outcome?.passed === true
  const goesOn = ending.state === 'completed' && passed && solve.remaining.length > 0
  const incarnation = goesOn ? await incarnationFor(parts, solve) : solve.run.incarnation
  const [step, ...remaining] = goesOn && !solve.cancelled ? solve.remaining : []
  if (step !== undefined) {
    // Before it is reported, so that a listener can cancel it.
    solve.run = { id: ids.run(), step, incarnation }
    solve.remaining = remaining
    solve.runs.add(solve.run.id)
    solve.controller = new AbortController()
  }
  log.together((append) => {
    const holds = store.holds.of(id)
    endRun(parts, append, id, ending)
    if (step !== undefined) enterRun(parts, append, solve, holds)
  })
  return step !== undefined
}

/** Resolves when the solve has ended, or was cancelled while it waited. Rejects if the store fails; its run is still open then. */
export async function carryOut(parts: ChainParts, solve: Solve): Promise<void> {
  for (let going = await hasStarted(parts, solve); going;) {
    const ending = await inRun(idsOf(solve), () => performRun(parts, solve))
    const goesOn = await endAndGoOn(parts, solve, ending)
    parts.advance()
    going = goesOn && (await hasStarted(parts, solve))
  }
}
