/** All flights of this process. Each waits for its turn, runs, and continues with the next step of its solve. */
import { LabError, type Problem } from '@expresslane/shared/base/errors'
import type { QueuePlace, RunId } from '@expresslane/shared/run/events'
import type { StepParams } from '@expresslane/shared/labs/lab'
import type { RunState } from '@expresslane/shared/run/run-state'
import type { Session } from '@expresslane/shared/wire/protocol'
import type { RunRow } from '../../store/runs.ts'
import type { SharedResources } from '../../testbeds/resources.ts'
import { Cancelled, flightOfRow, type Flight } from './flight.ts'
import { createFlightRuns, type FlightRunsParts } from './flight-runs.ts'
import { flyRun } from './fly.ts'
import type { Quota } from './quota.ts'
import { createQueue, type RunningRun } from '../queue/queue.ts'
import { interrupted, recoverRuns } from './recover.ts'
import { inRun, type RunIds } from '../log/current-run.ts'
import { sessionStates } from '../log/session-runs.ts'

export interface FlightsParts extends FlightRunsParts {
  /** Whether to take over the queued runs of ended processes. False for a command that ends soon. */
  readonly adopts: boolean
  /** Whether a person is an instructor, whose runs are next, even while the queue is paused. */
  readonly isInstructor: (person: string) => boolean
  readonly quota: Quota
  /** Why no run may start now; null if it may. */
  readonly unready: () => LabError | null
}

export interface Flights {
  /** The flight that a run belongs to. */
  of(runId: RunId): Flight | null
  /** The running or queued solve of a session up to a step. Starting it again has no effect. */
  solving(session: Session, solveTo: string, params: StepParams): Flight | null
  /** Starts a flight's first run, or queues it. @returns its place in the queue; null if it runs */
  launch(flight: Flight): QueuePlace | null
  /** Ends a running or queued flight. */
  cancel(flight: Flight): void
  /** Ends a queued run of any process. @returns false if it is not queued */
  cancelQueued(runId: RunId): boolean
  /** The waiting runs of all processes, in the order of their turns. */
  line(): RunId[]
  /** The running runs of all processes that have a shared resource. */
  running(): RunningRun[]
  /** Moves a queued run to the front of the line. @returns false if it is not queued */
  jump(runId: RunId): boolean
  /** Starts no more runs of participants, or starts them again. */
  pause(on: boolean): void
  /** Ends the runs of ended processes, and starts the runs whose turn has come. */
  tend(): void
  /** The exclusive resources for runs on a testbed; none if the testbed can't be created, since nothing will run there. */
  sharedOn(testbed: Session['testbed']): Promise<SharedResources>
  /** Cancels the running runs and waits until that is recorded. Queued runs stay queued for the next process. */
  close(): Promise<void>
}

const NOTHING = { passed: null, measured: null, problem: null }

export function createFlights(parts: FlightsParts): Flights {
  const { store, log, testbeds, findLab, clock, quota, onError, adopts } = parts
  const queue = createQueue(parts)
  const runs = createFlightRuns(parts, queue)
  const flights = new Set<Flight>()
  /** Runs of this process whose end could not be stored, and why. */
  const lost = new Map<RunId, Problem>()
  let closing = false

  function flightOf(runId: RunId): Flight | null {
    return [...flights].find((flight) => flight.runs.has(runId)) ?? null
  }

  function isMine(run: RunRow): boolean {
    return flightOf(run.id)?.run.id === run.id
  }

  function endQueued(row: RunRow, state: 'cancelled' | 'interrupted'): boolean {
    const problem = state === 'interrupted' ? interrupted : null
    return log.together((append) => {
      if (store.runs.find(row.id)?.state !== 'queued') return false
      if (!store.runs.end(row.id, state, clock.now(), { ...NOTHING, problem })) return false
      queue.leave(row, 0)
      append(row.id, { type: 'run.ended', state, problem })
      return true
    })
  }

  /** Takes over a queued run of an ended process. @returns whether it now waits in this process */
  function adopt(row: RunRow): boolean {
    // It was cancelled with the person's access, which could not be stored then.
    if ((store.principals.find(row.person)?.removedAt ?? null) !== null) {
      endQueued(row, 'cancelled')
      return false
    }
    const session = store.sessions.find(row.sessionId)
    const flight = session === null ? null : flightOfRow(row, session, findLab(row.labId))
    if (flight === null) {
      endQueued(row, 'interrupted')
      return false
    }
    if (row.owner !== store.owner && !store.runs.adopt(row.id, row.owner, store.owner)) return false
    flight.turn = Promise.withResolvers()
    flights.add(flight)
    flight.settled = fly(flight)
    return true
  }

  function advance(): void {
    if (closing) return
    const open = store.runs.open()
    const waiting = [...flights].filter(({ turn }) => turn !== null)
    for (const flight of waiting) {
      if (open.some(({ id, state }) => id === flight.run.id && state === 'queued')) continue
      // Another process has cancelled it.
      flight.cancelled = true
      flight.turn?.resolve()
    }
    if (!open.some(({ state }) => state === 'queued')) return
    const { granted, orphans } = log.together((append) => queue.advance(append, isMine))
    const starts = new Set(granted.map(({ id }) => id))
    for (const flight of waiting) if (starts.has(flight.run.id)) flight.turn?.resolve()
    if (adopts && orphans.filter(adopt).length > 0) advance()
  }

  function advanceSafely(): void {
    try {
      advance()
    } catch (error) {
      onError(error)
    }
  }

  /** Waits until the current run has started. @returns false if it was cancelled, or if the server stops */
  async function hasTakenOff(flight: Flight): Promise<boolean> {
    while (flight.turn !== null) {
      await flight.turn.promise
      if (flight.cancelled || closing) return false
      flight.shared ??= await runs.sharedOn(flight.session.testbed)
      const incarnation = await runs.incarnationFor(flight)
      await log.settled()
      if (flight.cancelled || closing) return false
      runs.planAgain(flight, incarnation)
      const taken = runs.takeOff(flight)
      if (taken === 'cancelled') return false
      if (taken === 'waits') advanceSafely()
    }
    return true
  }

  const idsOf = ({ run, session }: Flight): RunIds => ({ runId: run.id, sessionId: session.id })

  async function fly(flight: Flight): Promise<void> {
    const earlier = (): RunState[] => sessionStates(parts, flight.session.id).filter((run) => run.id !== flight.run.id)
    try {
      for (let going = await hasTakenOff(flight); going;) {
        const ending = await inRun(idsOf(flight), () =>
          flyRun(flight, { log, store, testbeds, clock, quota, earlier, onError }),
        )
        const goesOn = await runs.endAndGoOn(flight, ending)
        advanceSafely()
        going = goesOn && (await hasTakenOff(flight))
      }
    } catch (error) {
      // The store failed. The run is still open in it and is recovered when the store works again.
      if (error instanceof LabError) lost.set(flight.run.id, error.toProblem())
      inRun(idsOf(flight), () => onError(error))
    } finally {
      flights.delete(flight)
    }
  }

  function abort(flight: Flight, why: string): void {
    flight.cancelled = true
    flight.controller.abort(new Cancelled(why))
    flight.turn?.resolve()
  }

  function cancelQueued(runId: RunId): boolean {
    const row = store.runs.find(runId)
    if (row?.state !== 'queued' || !endQueued(row, 'cancelled')) return false
    advanceSafely()
    return true
  }

  return {
    of: flightOf,
    solving(session, solveTo, params) {
      const asked = JSON.stringify(params)
      const same = (one: Flight): boolean => one.session.id === session.id && one.solveTo === solveTo
      return [...flights].find((one) => same(one) && !one.cancelled && JSON.stringify(one.params) === asked) ?? null
    },
    launch(flight) {
      // Before it is reported, so that a listener can cancel it.
      flights.add(flight)
      try {
        const place = log.together((append) => runs.enter(append, flight))
        flight.settled = fly(flight)
        advanceSafely()
        return place
      } catch (error) {
        flights.delete(flight)
        throw error
      }
    },
    cancel(flight) {
      const waits = flight.turn !== null
      abort(flight, 'cancelled by a person')
      if (waits) cancelQueued(flight.run.id)
    },
    cancelQueued,
    line: queue.line,
    running: queue.running,
    jump(runId) {
      const jumped = queue.jump(runId)
      if (jumped) advanceSafely()
      return jumped
    },
    pause(on) {
      store.queue.pause(on)
      advanceSafely()
    },
    tend() {
      recoverRuns({
        store,
        log,
        clock,
        isMine,
        // How long it ran is unknown.
        leave: (run) => queue.leave(run, 0),
        problemOf: (run) => lost.get(run.id) ?? interrupted,
      }).forEach((run) => lost.delete(run.id))
      advance()
    },
    sharedOn: runs.sharedOn,
    async close() {
      closing = true
      const all = [...flights]
      for (const flight of all) abort(flight, 'the server is stopping')
      await Promise.all(all.map((flight) => flight.settled))
    },
  }
}
