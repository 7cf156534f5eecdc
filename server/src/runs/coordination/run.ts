/** A run of a solve: it starts or is queued, its step is performed, and it ends. */
import { LabError, toLabError, type Problem } from '@expresslane/shared/base/errors'
import { RESET_STEP, type EndState, type QueuePlace, type RunEvent, type RunId } from '@expresslane/shared/run/events'
import type { RunState } from '@expresslane/shared/run/run-state'
import type { Resource, SharedResources } from '../../testbeds/resources.ts'
import type { Clock } from '../clock.ts'
import type { Append } from '../log/run-log.ts'
import type { RunningRuns } from '../log/running-runs.ts'
import { sessionStates } from '../log/session-runs.ts'
import { keptResultOf } from '../log/summary.ts'
import type { Snapshot } from '../perform/step-context.ts'
import type { PlannedRun, Queue } from '../queue/queue.ts'
import { covers, needsOf } from '../queue/resources.ts'
import { isBulk, type Quota } from './quota.ts'
import type { SessionParts } from './sessions.ts'
import { NO_INCARNATION, type Solve } from './solve.ts'

/** How long an aborted run has to stop its commands. */
export const DRAIN_MS = 15_000
/** Time limit for discarding a testbed. */
const RENEW_MS = 5_000

export const NOTHING_SHARED: SharedResources = { measuring: [], changing: [] }

export interface RunParts extends SessionParts {
  readonly queue: Queue
  readonly runningRuns: Pick<RunningRuns, 'all'>
  readonly quota: Quota
  /** Called with errors that could not be recorded, and with unexpected errors, which are not a {@link LabError}. */
  readonly onError: (error: unknown) => void
}

export interface Ending {
  readonly state: EndState
  readonly problem: Problem | null
}

/** @param holds the resources of the previous run in the same solve */
function plannedRun(
  { session, person, lab, params, solveTo, shared, remaining, run }: Solve,
  holds: readonly Resource[],
): PlannedRun {
  const steps = [run.step, ...remaining]
  return {
    id: run.id,
    sessionId: session.id,
    labId: lab.id,
    stepId: run.step?.id ?? RESET_STEP,
    testbed: session.testbed,
    incarnation: run.incarnation,
    params,
    solveTo,
    person,
    needs: needsOf(`testbed:${session.testbed}`, shared ?? NOTHING_SHARED, steps, params, holds),
    remaining: remaining.map(({ id }) => id),
  }
}

/**
 * Starts the current run in the caller's transaction, or queues it: then it has a `turn`.
 *
 * @param holds the resources of the previous run in the same solve
 * @returns its place in the queue; null if it runs
 */
export function enterRun(
  { queue }: RunParts,
  append: Append,
  solve: Solve,
  holds: readonly Resource[] = [],
): QueuePlace | null {
  const run = plannedRun(solve, holds)
  const kept = holds.filter((one) => covers(run.needs, one))
  const place = queue.enter(append, run, kept)
  solve.turn = place === null ? null : Promise.withResolvers()
  return place
}

/** Starts the queued run whose turn has come. It waits on if it needs more by a new plan: then it has another `turn`. */
export function startRun({ store, log, queue }: RunParts, solve: Solve): 'started' | 'waits' | 'cancelled' {
  const run = plannedRun(solve, [])
  const started = log.together((append) => {
    const holds = store.holds.of(run.id)
    if (run.needs.shared.every((one) => holds.includes(one))) return queue.start(append, run.id, run)
    store.runs.change(run.id, run)
    return null
  })
  solve.turn = started === null ? Promise.withResolvers() : null
  if (started === null) return 'waits'
  return started ? 'started' : 'cancelled'
}

/**
 * Ends a running or queued run in the caller's transaction, and frees its resources.
 *
 * @returns false, without a change, if it has ended
 */
export function endRun({ store, log, clock, queue }: RunParts, append: Append, id: RunId, ending: Ending): boolean {
  const row = store.runs.find(id)
  const state = log.state(id)
  const kept = state === null ? { passed: null, measured: null } : keptResultOf(state)
  const at = clock.now()
  if (row === null || !store.runs.end(id, ending.state, at, { ...kept, problem: ending.problem })) return false
  // How long an interrupted run went on is unknown.
  queue.leave(row, ending.state === 'interrupted' ? 0 : at - row.startedAt)
  append(id, { type: 'run.ended', ...ending })
  return true
}

const stuck = Symbol('stuck')

/** Resolves to {@link stuck} `ms` after `signal` is aborted. */
function overdue(signal: AbortSignal, clock: Clock, ms: number): { when: Promise<typeof stuck>; stop: () => void } {
  const { promise, resolve } = Promise.withResolvers<typeof stuck>()
  let takeBack = (): void => {}
  const onAbort = (): void => {
    takeBack = clock.after(ms, () => resolve(stuck))
  }
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  const stop = (): void => {
    signal.removeEventListener('abort', onAbort)
    takeBack()
  }
  return { when: promise, stop }
}

/** The snapshot of the testbed as the run found it. A run that could not read the testbed at its start asks again, or fails. */
function snapshotOf({ store, log, clock, testbeds }: RunParts, solve: Solve): Snapshot {
  const { testbed } = solve.session
  const { signal } = solve.controller
  let known = solve.run.incarnation
  async function incarnation(): Promise<string> {
    if (known === NO_INCARNATION) {
      known = await (await testbeds.get(testbed)).incarnation({ signal, emit: () => {} })
    }
    return known
  }
  return {
    read: async () => store.snapshots.read(testbed, await incarnation()),
    async keep(settings) {
      const of = await incarnation()
      await log.settled()
      store.snapshots.keep(testbed, of, settings, clock.now())
    },
    async clear() {
      const of = await incarnation()
      await log.settled()
      store.snapshots.clear(testbed, of)
    },
  }
}

/** Discards a testbed that does not stop; the next run gets a new one. */
async function giveUp(parts: RunParts, { session }: Solve): Promise<Ending> {
  const closed = Promise.withResolvers<void>()
  const takeBack = parts.clock.after(RENEW_MS, closed.resolve)
  parts.testbeds.renew(session.testbed).then(closed.resolve, closed.resolve)
  await closed.promise
  takeBack()
  const problem = new LabError(
    'deadline_exceeded',
    'The step did not stop in time, so its testbed was discarded.',
    'The next step gets a new testbed without pods. If the lab has a Deploy step, run it first.',
  ).toProblem()
  return { state: 'cancelled', problem }
}

/** Performs the step of the current run. Never rejects. Emits all events except `run.started` and `run.ended`. */
export async function performRun(parts: RunParts, solve: Solve): Promise<Ending> {
  const { log, testbeds, clock, quota, onError } = parts
  const { run, session, person, lab, params, context, controller } = solve
  if (context !== null) context.next = solve.remaining
  const { signal } = controller
  let over = false
  const emitAll = (events: readonly RunEvent[]): void => {
    // A discarded run can still emit events, but its log is closed.
    if (over) return
    log.append(run.id, ...events.filter((event) => !(signal.reason instanceof LabError && isBulk(event))))
  }
  const deadline = overdue(signal, clock, DRAIN_MS)
  const unfollow = quota.follow(run.id, person, (why) => controller.abort(why))
  try {
    const performed = testbeds.get(session.testbed).then((testbed) =>
      testbed.perform({
        lab,
        step: run.step,
        params,
        earlier: (): RunState[] => sessionStates(parts, session.id).filter(({ id }) => id !== run.id),
        snapshot: snapshotOf(parts, solve),
        solve: context,
        signal,
        now: () => clock.now(),
        emit: (event) => emitAll([event]),
        emitAll,
      }),
    )
    const first = await Promise.race([performed, deadline.when])
    if (first === stuck) {
      over = true
      return await giveUp(parts, solve)
    }
    return { state: first, problem: null }
  } catch (error) {
    // The run's person may store no more.
    if (signal.reason instanceof LabError) return { state: 'failed', problem: signal.reason.toProblem() }
    if (signal.aborted) return { state: 'cancelled', problem: null }
    if (!(error instanceof LabError)) onError(error)
    return { state: 'failed', problem: toLabError(error).toProblem() }
  } finally {
    over = true
    unfollow()
    deadline.stop()
  }
}
