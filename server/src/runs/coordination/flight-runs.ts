/** The runs of one flight: how each begins, and how the next follows it. */
import { RESET_STEP, type QueuePlace } from '@expresslane/shared/run/events'
import type { RunState } from '@expresslane/shared/run/run-state'
import { LabError } from '@expresslane/shared/base/errors'
import type { Session } from '@expresslane/shared/wire/protocol'
import type { Resource, SharedResources } from '../../testbeds/resources.ts'
import type { Append } from '../log/run-log.ts'
import { keptResultOf } from '../log/summary.ts'
import { sessionRuns } from '../log/session-runs.ts'
import type { Arriving, Queue } from '../queue/queue.ts'
import { covers, needsOf } from '../queue/resources.ts'
import type { Flight } from './flight.ts'
import type { Ending } from './fly.ts'
import { stepsFrom } from './plan.ts'
import type { SessionParts } from './sessions.ts'

export interface FlightRuns {
  /** Starts the current run in the caller's transaction, or queues it. @returns its place in the queue; null if it runs */
  enter(append: Append, flight: Flight): QueuePlace | null
  /** Starts the queued run whose turn has come, planned again. It waits on if the new plan needs more: then it has a `turn`. */
  takeOff(flight: Flight): 'started' | 'waits' | 'cancelled'
  /** The incarnation for the next run; the current one if it can't be read. */
  incarnationFor(flight: Flight): Promise<string>
  /** After a rebuild of the testbed while the run waited, earlier steps of its solve must run again. */
  planAgain(flight: Flight, incarnation: string): void
  /**
   * Ends the current run and starts or queues the next in one transaction, so that no other run gets in between.
   *
   * @returns whether there is a next one
   */
  endAndGoOn(flight: Flight, ending: Ending): Promise<boolean>
  /** The exclusive resources for runs on a testbed; none if the testbed can't be created, since nothing will run there. */
  sharedOn(testbed: Session['testbed']): Promise<SharedResources>
}

export interface FlightRunsParts extends SessionParts {
  /** Called with errors that could not be recorded. */
  readonly onError: (error: unknown) => void
}

const NOTHING_SHARED: SharedResources = { measuring: [], changing: [] }

export function createFlightRuns(parts: FlightRunsParts, queue: Queue): FlightRuns {
  const { store, log, status, clock, ids, onError } = parts

  /** @param holds the resources of the previous run in the same solve */
  function arriving(
    { session, person, lab, params, solveTo, shared, remaining, run }: Flight,
    holds: Resource[],
  ): Arriving {
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

  function enter(append: Append, flight: Flight, holds: Resource[] = []): QueuePlace | null {
    const run = arriving(flight, holds)
    const kept = holds.filter((one) => covers(run.needs, one))
    const place = queue.enter(append, run, kept)
    flight.turn = place === null ? null : Promise.withResolvers()
    return place
  }

  function end(append: Append, run: RunState, ending: Ending): void {
    const row = store.runs.find(run.id)
    const result = { ...keptResultOf(run), problem: ending.problem }
    const at = clock.now()
    if (row === null || !store.runs.end(run.id, ending.state, at, result)) return
    queue.leave(row, at - row.startedAt)
    append(run.id, { type: 'run.ended', ...ending })
  }

  async function incarnationFor({ session, run }: Flight): Promise<string> {
    try {
      return (await status.incarnation(session.testbed)) ?? run.incarnation
    } catch (error) {
      onError(error)
      return run.incarnation
    }
  }

  async function sharedOn(testbed: Session['testbed']): Promise<SharedResources> {
    try {
      return await status.resources(testbed)
    } catch (error) {
      if (!(error instanceof LabError)) onError(error)
      return NOTHING_SHARED
    }
  }

  async function endAndGoOn(flight: Flight, ending: Ending): Promise<boolean> {
    await log.settled()
    const passed = log.state(flight.run.id)?.outcome?.passed === true
    const goesOn = ending.state === 'completed' && passed && flight.remaining.length > 0
    const incarnation = goesOn ? await incarnationFor(flight) : flight.run.incarnation
    const folded = log.state(flight.run.id)
    if (folded === null) throw new Error(`run ${flight.run.id} has no events`)
    const [step, ...remaining] = goesOn && !flight.cancelled ? flight.remaining : []
    if (step !== undefined) {
      // Before it is reported, so that a listener can cancel it.
      flight.run = { id: ids.run(), step, incarnation }
      flight.remaining = remaining
      flight.runs.add(flight.run.id)
      flight.controller = new AbortController()
    }
    log.together((append) => {
      const holds = store.holds.of(folded.id)
      end(append, folded, ending)
      if (step !== undefined) enter(append, flight, holds)
    })
    return step !== undefined
  }

  function planAgain(flight: Flight, incarnation: string): void {
    const { lab, solveTo, session, run } = flight
    const rebuilt = incarnation !== run.incarnation && solveTo !== null
    const [step, ...remaining] = rebuilt ? stepsFrom(lab, solveTo, sessionRuns(parts, session.id), incarnation) : []
    flight.run = { id: run.id, step: step ?? run.step, incarnation }
    if (step !== undefined) flight.remaining = remaining
  }

  function takeOff(flight: Flight): 'started' | 'waits' | 'cancelled' {
    const run = arriving(flight, [])
    const started = log.together((append) => {
      const holds = store.holds.of(run.id)
      if (run.needs.shared.every((one) => holds.includes(one))) return queue.start(append, run.id, run)
      // The new plan needs more resources.
      store.runs.change(run.id, run)
      return null
    })
    flight.turn = started === null ? Promise.withResolvers() : null
    if (started === null) return 'waits'
    return started ? 'started' : 'cancelled'
  }

  return { enter, takeOff, incarnationFor, planAgain, endAndGoOn, sharedOn }
}
