/** Performs one run until it ends. */
import { LabError, toLabError, type Problem } from '@expresslane/shared/base/errors'
import type { EndState } from '@expresslane/shared/run/events'
import type { RunState } from '@expresslane/shared/run/run-state'
import type { Store } from '../../store/open.ts'
import type { Clock } from '../clock.ts'
import { NO_INCARNATION, type Flight } from './flight.ts'
import type { Snapshot } from '../perform/step-context.ts'
import type { RunLog } from '../log/run-log.ts'
import type { Testbeds } from '../testbeds.ts'
import { isBulk, type Quota } from './quota.ts'

/** How long an aborted run has to stop its commands. */
export const DRAIN_MS = 15_000
/** Time limit for discarding a testbed. */
const RENEW_MS = 5_000

export interface Ending {
  readonly state: Exclude<EndState, 'interrupted'>
  readonly problem: Problem | null
}

export interface FlyParts {
  readonly log: RunLog
  readonly store: Store
  readonly testbeds: Testbeds
  readonly clock: Clock
  readonly quota: Quota
  /** The session's earlier runs that still count, oldest first. */
  readonly earlier: () => readonly RunState[]
  /** Called with unexpected errors: those that are not a {@link LabError}. */
  readonly onError: (error: unknown) => void
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

/** Of the testbed as the run found it. A run that could not read the testbed at its start asks again, or fails. */
function snapshotOf(flight: Flight, { store, log, clock, testbeds }: FlyParts): Snapshot {
  const { testbed } = flight.session
  const { signal } = flight.controller
  let known = flight.run.incarnation
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
async function giveUp(flight: Flight, parts: FlyParts): Promise<Ending> {
  const closed = Promise.withResolvers<void>()
  const takeBack = parts.clock.after(RENEW_MS, closed.resolve)
  parts.testbeds.renew(flight.session.testbed).then(closed.resolve, closed.resolve)
  await closed.promise
  takeBack()
  const problem = new LabError(
    'deadline_exceeded',
    'The step did not stop in time, so its testbed was discarded.',
    'The next step gets a new testbed without pods. If the lab has a Deploy step, run it first.',
  ).toProblem()
  return { state: 'cancelled', problem }
}

/** Performs the flight's current run. Never rejects. Emits all events except `run.started` and `run.ended`. */
export async function flyRun(flight: Flight, parts: FlyParts): Promise<Ending> {
  const { log, testbeds, clock, quota, earlier } = parts
  const { run, session, lab, params, solve, controller } = flight
  if (solve !== null) solve.next = flight.remaining
  const { signal } = controller
  let over = false
  const deadline = overdue(signal, clock, DRAIN_MS)
  const unfollow = quota.follow(run.id, flight.person, (why) => controller.abort(why))
  try {
    const performed = testbeds.get(session.testbed).then((testbed) =>
      testbed.perform({
        lab,
        step: run.step,
        params,
        earlier,
        snapshot: snapshotOf(flight, parts),
        solve,
        signal,
        now: () => clock.now(),
        emit: (event) => {
          // A discarded run can still emit events, but its log is closed.
          if (!over && !(signal.reason instanceof LabError && isBulk(event))) log.append(run.id, event)
        },
      }),
    )
    const first = await Promise.race([performed, deadline.when])
    if (first === stuck) {
      over = true
      return await giveUp(flight, parts)
    }
    return { state: first, problem: null }
  } catch (error) {
    // What its person may store was reached.
    if (signal.reason instanceof LabError) return { state: 'failed', problem: signal.reason.toProblem() }
    if (signal.aborted) return { state: 'cancelled', problem: null }
    if (!(error instanceof LabError)) parts.onError(error)
    return { state: 'failed', problem: toLabError(error).toProblem() }
  } finally {
    over = true
    unfollow()
    deadline.stop()
  }
}
