/** Starts and ends runs: one at a time on a testbed, whoever asks. */
import { LabError } from '@expresslane/shared/wire/errors'
import { RESET_STEP, type RunId, type SessionId } from '@expresslane/shared/run/events'
import type { Step } from '@expresslane/shared/labs/lab'
import type { RunAccepted, Session } from '@expresslane/shared/wire/protocol'
import type { RunState } from '@expresslane/shared/run/run-state'
import { formatTestbedId, type TestbedId } from '@expresslane/shared/testbed/id'
import type { TestbedKind } from '@expresslane/shared/testbed/testbed'
import type { RunRow } from '../store/runs.ts'
import { busyError } from './busy.ts'
import { Cancelled, type Flight, type FlightRun } from './flight.ts'
import { flyRun, type Ending } from './fly.ts'
import { planSteps, requireLab, type Wish } from './plan.ts'
import { recoverRuns } from './recover.ts'
import type { Append } from './run-log.ts'
import type { SessionParts } from './sessions.ts'
import { resultOf } from './summary.ts'

export interface CoordinatorParts extends SessionParts {
  /** Told of what could not be recorded; there is nobody else to tell. */
  readonly onError: (error: unknown) => void
}

export interface Coordinator {
  /** @throws LabError `testbed_busy`, `not_found`, `bad_request` */
  start(session: Session, wish: Wish): Promise<RunAccepted>
  /** Puts the testbed back and begins the session's walk again. */
  reset(session: Session): Promise<RunAccepted>
  /**
   * Cancels a run, and the rest of the solve that it belongs to. Returns at once; the run ends as
   * `cancelled` when it has drained.
   *
   * @throws LabError `not_found`, `run_not_running`
   */
  cancel(runId: RunId): RunAccepted
  /**
   * Puts another context in use, while nothing runs on the testbed that is in use.
   *
   * @returns the testbed there
   * @throws LabError `testbed_busy`, `not_found`, `kubeconfig_invalid`
   */
  useContext(kind: TestbedKind, context: string): Promise<TestbedId>
  /** Closes a testbed that nothing runs on. @throws LabError `testbed_busy` */
  release(id: TestbedId): Promise<void>
  /** Ends the runs whose process is gone. */
  recover(): RunRow[]
  /** Resolves when a run and the solve that it belongs to are over; at once for one that is not running here. */
  settled(runId: RunId): Promise<void>
  /** Cancels what is running, waits until it is recorded, and starts nothing any more. */
  close(): Promise<void>
}

/** Of a testbed that can't be read. Its step still runs, and records why it fails; preflight tells what is missing. */
const NO_INCARNATION = 'unavailable'

export function createCoordinator(parts: CoordinatorParts): Coordinator {
  const { store, log, testbeds, status, findLab, clock, ids, onError } = parts
  const flights = new Set<Flight>()
  let closing = false

  function flightOf(runId: RunId): Flight | null {
    return [...flights].find((flight) => flight.runs.has(runId)) ?? null
  }

  function recover(): RunRow[] {
    return recoverRuns(store, log, clock, (run) => flightOf(run.id)?.run.id === run.id)
  }

  function refuseWhenClosing(): void {
    if (!closing) return
    throw new LabError('server_restarted', 'Expresslane is stopping.', 'Start it again with `npm start`.')
  }

  /** A holder whose process is gone does not hold. */
  function refuseWhenBusy(testbed: TestbedId, asking: SessionId | null): void {
    if (store.runs.runningOn(testbed) === null) return
    recover()
    const holder = store.runs.runningOn(testbed)
    if (holder !== null) throw busyError(findLab, holder, asking)
  }

  function begin(append: Append, run: FlightRun, of: Pick<Flight, 'session' | 'lab' | 'params' | 'solveTo'>): boolean {
    const { session, lab, params, solveTo } = of
    const { id, incarnation } = run
    const begun = {
      sessionId: session.id,
      labId: lab.id,
      stepId: run.step?.id ?? RESET_STEP,
      testbed: session.testbed,
      incarnation,
      params,
      solveTo,
    }
    if (!store.runs.begin({ ...begun, id, startedAt: clock.now(), owner: store.owner })) return false
    append(id, { type: 'run.started', ...begun })
    return true
  }

  function end(append: Append, run: RunState, ending: Ending): void {
    const result = { ...resultOf(run), problem: ending.problem }
    if (store.runs.end(run.id, ending.state, clock.now(), result)) append(run.id, { type: 'run.ended', ...ending })
  }

  /** For the next run of a flight; that of the present one when nothing newer can be had. */
  async function incarnationFor({ session, run }: Flight): Promise<string> {
    try {
      return (await status.incarnation(session.testbed)) ?? run.incarnation
    } catch (error) {
      onError(error)
      return run.incarnation
    }
  }

  /** Ends the present run and, in the same transaction, starts the next: nobody slips in between. */
  async function endAndGoOn(flight: Flight, ending: Ending): Promise<boolean> {
    const passed = log.state(flight.run.id)?.outcome?.passed === true
    const goesOn = ending.state === 'completed' && passed && flight.remaining.length > 0
    const incarnation = goesOn ? await incarnationFor(flight) : flight.run.incarnation
    const folded = log.state(flight.run.id)
    if (folded === null) throw new Error(`run ${flight.run.id} has no events`)
    const step = goesOn && !flight.cancelled ? flight.remaining.shift() : undefined
    const next = step === undefined ? null : { id: ids.run(), step, incarnation }
    if (next !== null) {
      // Before it is told, so that whoever hears of the run can cancel it.
      flight.run = next
      flight.runs.add(next.id)
      flight.controller = new AbortController()
    }
    log.together((append) => {
      end(append, folded, ending)
      if (next !== null && !begin(append, next, flight)) throw new Error('the testbed was taken within a transaction')
    })
    return next !== null
  }

  async function fly(flight: Flight): Promise<void> {
    try {
      for (let going = true; going;) {
        const earlier = (): RunState[] => earlierRuns(flight)
        going = await endAndGoOn(flight, await flyRun(flight, { log, store, testbeds, clock, earlier, onError }))
      }
    } catch (error) {
      // The store refused: the run is still open in it, and is recovered once the store answers again.
      onError(error)
    } finally {
      flights.delete(flight)
    }
  }

  function statesOf(session: Session): RunState[] {
    return store.runs.ofSession(session.id).flatMap((row) => log.state(row.id) ?? [])
  }

  function earlierRuns(flight: Flight): RunState[] {
    return statesOf(flight.session).filter((run) => run.id !== flight.run.id)
  }

  async function launch(session: Session, wish: Wish | null): Promise<RunAccepted> {
    refuseWhenClosing()
    const lab = requireLab(findLab(session.labId), session.labId)
    refuseWhenBusy(session.testbed, session.id)
    const incarnation = (await status.incarnation(session.testbed)) ?? NO_INCARNATION
    refuseWhenClosing()
    const steps: (Step | null)[] = wish === null ? [null] : planSteps(lab, wish, statesOf(session), incarnation)
    const [first = null, ...remaining] = steps
    const run: FlightRun = { id: ids.run(), step: first, incarnation }
    const flight: Flight = {
      session,
      lab,
      params: wish?.params ?? {},
      solveTo: wish?.solve === true ? wish.stepId : null,
      remaining: remaining.filter((step) => step !== null),
      runs: new Set([run.id]),
      run,
      controller: new AbortController(),
      cancelled: false,
      settled: Promise.resolve(),
    }
    // In `flights` before it is told, so that whoever hears of the run can cancel it.
    flights.add(flight)
    try {
      const begun = log.together((append) => begin(append, run, flight))
      if (!begun) refuseWhenBusy(session.testbed, session.id)
      if (!begun) throw new LabError('testbed_busy', 'Another run was faster.', 'Run the step again.')
    } catch (error) {
      flights.delete(flight)
      throw error
    }
    flight.settled = fly(flight)
    return { runId: run.id, stepId: run.step?.id ?? RESET_STEP }
  }

  function abort(flight: Flight, why: string): RunAccepted {
    flight.cancelled = true
    flight.controller.abort(new Cancelled(why))
    return { runId: flight.run.id, stepId: flight.run.step?.id ?? RESET_STEP }
  }

  return {
    start: (session, wish) => launch(session, wish),
    reset: (session) => launch(session, null),
    cancel(runId) {
      const flight = flightOf(runId)
      if (flight !== null) return abort(flight, 'cancelled by the learner')
      recover()
      const row = store.runs.find(runId)
      if (row === null) throw new LabError('not_found', 'There is no such run.', 'Look it up in the history.')
      throw row.state === 'running'
        ? new LabError(
            'run_not_running',
            'Another Expresslane process on this machine performs this run.',
            'Stop it where it was started.',
          )
        : new LabError('run_not_running', `This run has ended: it is ${row.state}.`, 'Nothing needs to be done.')
    },
    async useContext(kind, context) {
      refuseWhenBusy(testbeds.resolve(formatTestbedId({ kind, context: null, owner: null })), null)
      const id = await testbeds.use(kind, context)
      status.forget(id)
      return id
    },
    async release(id) {
      refuseWhenBusy(id, null)
      await testbeds.renew(id)
      status.forget(id)
    },
    recover,
    settled: (runId) => flightOf(runId)?.settled ?? Promise.resolve(),
    async close() {
      closing = true
      const all = [...flights]
      for (const flight of all) abort(flight, 'the server is stopping')
      await Promise.all(all.map((flight) => flight.settled))
    },
  }
}
