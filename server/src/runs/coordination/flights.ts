/** All flights of this process. Each waits for its turn, runs, and continues with the next step of its solve. */
import { LabError, type Problem } from '@expresslane/shared/wire/errors'
import { RESET_STEP, type QueuePlace, type RunId } from '@expresslane/shared/run/events'
import type { StepParams } from '@expresslane/shared/labs/lab'
import type { RunState } from '@expresslane/shared/run/run-state'
import type { Session } from '@expresslane/shared/wire/protocol'
import type { RunRow } from '../../store/runs.ts'
import type { Resource, SharedResources } from '../../testbeds/resources.ts'
import { Cancelled, flightOfRow, type Flight } from './flight.ts'
import { flyRun, type Ending } from './fly.ts'
import { stepsFrom } from './plan.ts'
import { createQueue, type Arriving } from '../queue/queue.ts'
import { covers, needsOf } from '../queue/resources.ts'
import { interrupted, recoverRuns } from './recover.ts'
import { inRun, type RunIds } from '../log/current-run.ts'
import type { Append } from '../log/run-log.ts'
import type { SessionParts } from './sessions.ts'
import { keptResultOf } from '../log/summary.ts'
import { walkedRuns, walkStates } from '../log/walk.ts'

export interface FlightsParts extends SessionParts {
  /** Called with errors that could not be recorded. */
  readonly onError: (error: unknown) => void
  /** Whether to take over the queued runs of ended processes. False for a command that ends soon. */
  readonly adopts: boolean
  /** Whether a person's runs start while the queue is paused. */
  readonly ignoresPause: (person: string) => boolean
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
const NONE: SharedResources = { measuring: [], changing: [] }

export function createFlights(parts: FlightsParts): Flights {
  const { store, log, testbeds, status, findLab, clock, ids, onError, adopts } = parts
  const queue = createQueue(parts)
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
      queue.leave(row)
      append(row.id, { type: 'run.ended', state, problem })
      return true
    })
  }

  /** Takes over a queued run of an ended process. @returns whether it now waits in this process */
  function adopt(row: RunRow): boolean {
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

  /** @param holds the resources of the previous run in the same solve */
  function arriving({ session, lab, params, solveTo, shared, remaining, run }: Flight, holds: Resource[]): Arriving {
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
      person: session.owner,
      needs: needsOf(`testbed:${session.testbed}`, shared ?? NONE, steps, params, holds),
      remaining: remaining.map(({ id }) => id),
    }
  }

  function enter(append: Append, flight: Flight, holds: Resource[]): QueuePlace | null {
    const run = arriving(flight, holds)
    const kept = holds.filter((one) => covers(run.needs, one))
    const place = queue.enter(append, run, kept)
    flight.turn = place === null ? null : Promise.withResolvers()
    return place
  }

  function end(append: Append, run: RunState, ending: Ending): void {
    const row = store.runs.find(run.id)
    const result = { ...keptResultOf(run), problem: ending.problem }
    if (row === null || !store.runs.end(run.id, ending.state, clock.now(), result)) return
    queue.leave(row)
    append(run.id, { type: 'run.ended', ...ending })
  }

  /** The incarnation for the next run of a flight; the current one if it can't be read. */
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
      return NONE
    }
  }

  /** Ends the current run and starts or queues the next in one transaction, so that no other run gets in between. */
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

  /** After a rebuild of the testbed while the run waited, earlier steps of its solve must run again. */
  function planAgain(flight: Flight, incarnation: string): void {
    const { lab, solveTo, session, run } = flight
    const rebuilt = incarnation !== run.incarnation && solveTo !== null
    const [step, ...remaining] = rebuilt ? stepsFrom(lab, solveTo, walkedRuns(parts, session.id), incarnation) : []
    flight.run = { id: run.id, step: step ?? run.step, incarnation }
    if (step !== undefined) flight.remaining = remaining
  }

  /** Starts the current run, which holds its resources. @returns false if it was cancelled meanwhile */
  function takeOff(flight: Flight): boolean {
    const run = arriving(flight, [])
    const started = log.together((append) => {
      const holds = store.holds.of(run.id)
      if (run.needs.shared.every((one) => holds.includes(one))) return queue.start(append, run.id, run)
      // The new plan needs more resources.
      store.runs.change(run.id, run)
      return null
    })
    flight.turn = started === null ? Promise.withResolvers() : null
    if (started === null) advanceSafely()
    return started !== false
  }

  /** Waits until the current run has started. @returns false if it was cancelled, or if the server stops */
  async function hasTakenOff(flight: Flight): Promise<boolean> {
    while (flight.turn !== null) {
      await flight.turn.promise
      if (flight.cancelled || closing) return false
      flight.shared ??= await sharedOn(flight.session.testbed)
      const incarnation = await incarnationFor(flight)
      await log.settled()
      if (flight.cancelled || closing) return false
      planAgain(flight, incarnation)
      if (!takeOff(flight)) return false
    }
    return true
  }

  const idsOf = ({ run, session }: Flight): RunIds => ({ runId: run.id, sessionId: session.id })

  async function fly(flight: Flight): Promise<void> {
    const earlier = (): RunState[] => walkStates(parts, flight.session.id).filter((run) => run.id !== flight.run.id)
    try {
      for (let going = await hasTakenOff(flight); going;) {
        const ending = await inRun(idsOf(flight), () =>
          flyRun(flight, { log, store, testbeds, clock, earlier, onError }),
        )
        const goesOn = await endAndGoOn(flight, ending)
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
        const place = log.together((append) => enter(append, flight, []))
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
        leave: (run) => queue.leave(run),
        problemOf: (run) => lost.get(run.id) ?? interrupted,
      }).forEach((run) => lost.delete(run.id))
      advance()
    },
    sharedOn,
    async close() {
      closing = true
      const all = [...flights]
      for (const flight of all) abort(flight, 'the server is stopping')
      await Promise.all(all.map((flight) => flight.settled))
    },
  }
}
