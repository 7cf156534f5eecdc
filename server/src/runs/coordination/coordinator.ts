/** Starts and ends runs. Each run gets exclusive resources, and waits in the queue while another run has them. */
import { LabError } from '@expresslane/shared/base/errors'
import { RESET_STEP, type QueuePlace, type RunId } from '@expresslane/shared/run/events'
import type { Step } from '@expresslane/shared/labs/lab'
import { labOn } from '@expresslane/shared/labs/on-testbed'
import type { RunAccepted, Session } from '@expresslane/shared/wire/protocol'
import { formatTestbedId, kindOf, type TestbedId } from '@expresslane/shared/testbed/id'
import type { TestbedKind } from '@expresslane/shared/testbed/testbed'
import { busyError } from './busy.ts'
import { newFlight, NO_INCARNATION, type Flight } from './flight.ts'
import { sessionRuns } from '../log/session-runs.ts'
import type { RunningRun } from '../queue/queue.ts'
import { createFlights, type FlightsParts } from './flights.ts'
import { missingLab, planSteps, requireLab, type Wish } from './plan.ts'

export interface Coordinator {
  /** Starts a step, or queues it. @throws LabError `not_found`, `bad_request`, `run_too_long`, `queue_full`, `quota_reached` */
  start(session: Session, wish: Wish): Promise<RunAccepted>
  /** Restores the testbed, after which the session begins again. */
  reset(session: Session): Promise<RunAccepted>
  /**
   * Cancels a run and the remaining steps of its solve. Returns at once: a running run ends as `cancelled` when its
   * commands have stopped, a queued run ends immediately in any process.
   *
   * @throws LabError `not_found`, `run_not_running`
   */
  cancel(runId: RunId): RunAccepted
  /** The waiting runs, in the order of their turns. */
  line(): RunId[]
  /** The running runs that have a shared resource, so that others wait for them. */
  running(): RunningRun[]
  /** Moves a queued run to the front of the line. @throws LabError `not_found`, `run_not_running` */
  jump(runId: RunId): RunAccepted
  /** While it is paused, only the instructor's runs start. */
  pauseQueue(on: boolean): void
  /**
   * Switches to another context. Nothing may run or wait on the testbed in use.
   *
   * @returns the testbed in that context
   * @throws LabError `testbed_busy`, `not_found`, `kubeconfig_invalid`
   */
  useContext(kind: TestbedKind, context: string): Promise<TestbedId>
  /** Closes a testbed; the next run creates a new one. @throws LabError `testbed_busy` */
  release(id: TestbedId): Promise<void>
  /** Ends the runs of ended processes, and starts the runs whose turn has come. */
  tend(): void
  /** Resolves when a run and its solve have ended; at once for a run that is not running in this process. */
  settled(runId: RunId): Promise<void>
  /** Cancels the running runs, waits until that is recorded, and starts no more. Queued runs stay queued. */
  close(): Promise<void>
}

/** Runs of one person that run or wait. More would only fill the board and the log. */
const MOST_OPEN = 16

/** How long a request waits for another process's lock on the database. */
const LOCK_MS = 5000

function queueFull(): LabError {
  return new LabError(
    'queue_full',
    `You already have ${MOST_OPEN} running or waiting runs.`,
    'Wait until one has ended, or cancel one.',
  )
}

export function createCoordinator(parts: FlightsParts): Coordinator {
  const { store, log, testbeds, status, findLab, ids, quota, unready } = parts
  const flights = createFlights(parts)
  let closing = false

  function refuseWhenClosing(): void {
    if (!closing) return
    throw new LabError('server_restarted', 'Expresslane is stopping.', 'Start it again with `npm start`.')
  }

  /** Somebody who was removed meanwhile: their runs have been ended, and their testbed closes. */
  function refuseWhenGone(person: string): void {
    const removedAt = store.principals.find(person)?.removedAt ?? null
    if (removedAt === null) return
    throw new LabError(
      'not_allowed',
      'This person’s access was taken back.',
      'Ask the instructor for a new invitation.',
    )
  }

  /** Runs of ended processes do not count. */
  function refuseWhenBusy(testbed: TestbedId): void {
    flights.tend()
    const holder = store.runs.open().find((run) => run.testbed === testbed)
    if (holder !== undefined) throw busyError(findLab, holder)
  }

  async function launch(session: Session, wish: Wish | null): Promise<RunAccepted> {
    refuseWhenClosing()
    const person = wish?.by ?? session.owner
    const found = findLab(session.labId)
    const listed = wish === null ? (found ?? missingLab(session.labId)) : requireLab(found, session.labId)
    const lab = labOn(listed, kindOf(session.testbed))
    // What gives a testbed back is never refused for what is stored.
    const undoes =
      wish === null || (!wish.solve && lab.steps.find(({ id }) => id === wish.stepId)?.action?.kind === 'restore')
    const why = undoes ? null : unready()
    if (why !== null) throw why
    flights.tend()
    const [known, shared] = await Promise.all([status.incarnation(session.testbed), flights.sharedOn(session.testbed)])
    await log.settled(LOCK_MS)
    await quota.count(person)
    refuseWhenClosing()
    const mine = store.runs.open().filter((run) => run.person === person)
    const underWay = wish?.solve === true ? flights.solving(session, wish.stepId, wish.params) : null
    if (underWay !== null) return accepted(underWay)
    if (mine.length >= MOST_OPEN) throw queueFull()
    refuseWhenGone(session.owner)
    const incarnation = known ?? NO_INCARNATION
    const steps: (Step | null)[] =
      wish === null ? [null] : planSteps(lab, wish, sessionRuns(parts, session.id), incarnation)
    if (!undoes) quota.require(person, steps.length)
    const [step = null, ...remaining] = steps
    const flight = newFlight({
      session,
      person,
      lab,
      params: wish?.params ?? {},
      solveTo: wish?.solve === true ? wish.stepId : null,
      shared,
      remaining: remaining.filter((one) => one !== null),
      run: { id: ids.run(), step, incarnation },
    })
    const { id: runId } = flight.run
    const queue = flights.launch(flight)
    return { runId, stepId: step?.id ?? RESET_STEP, queue }
  }

  function placeOf(runId: RunId): QueuePlace | null {
    const queue = log.state(runId)?.queue ?? null
    return queue === null ? null : { place: queue.place, expectedSeconds: queue.expectedSeconds, paused: queue.paused }
  }

  function accepted({ run }: Flight): RunAccepted {
    return { runId: run.id, stepId: run.step?.id ?? RESET_STEP, queue: placeOf(run.id) }
  }

  function cancelFlight(flight: Flight): RunAccepted {
    flights.cancel(flight)
    return { runId: flight.run.id, stepId: flight.run.step?.id ?? RESET_STEP, queue: null }
  }

  return {
    start: (session, wish) => launch(session, wish),
    reset: (session) => launch(session, null),
    cancel(runId) {
      const flight = flights.of(runId)
      if (flight !== null) return cancelFlight(flight)
      flights.tend()
      const row = store.runs.find(runId)
      if (row === null) throw new LabError('not_found', 'This run does not exist.', 'Find the run in the history.')
      if (flights.cancelQueued(runId)) return { runId, stepId: row.stepId, queue: null }
      throw row.state === 'running'
        ? new LabError(
            'run_not_running',
            'This run belongs to another Expresslane process on this machine.',
            'Stop the run in that process.',
          )
        : new LabError('run_not_running', `This run has already ended (${row.state}).`, 'No action is needed.')
    },
    line: flights.line,
    running: flights.running,
    jump(runId) {
      const row = store.runs.find(runId)
      if (row === null) throw new LabError('not_found', 'This run does not exist.', 'Find the run in the history.')
      if (!flights.jump(runId)) {
        throw new LabError('run_not_running', `This run is not waiting (${row.state}).`, 'No action is needed.')
      }
      return { runId, stepId: row.stepId, queue: placeOf(runId) }
    },
    pauseQueue: flights.pause,
    async useContext(kind, context) {
      refuseWhenBusy(testbeds.resolve(formatTestbedId({ kind, context: null, owner: null })))
      const id = await testbeds.use(kind, context)
      status.forget(id)
      return id
    },
    async release(id) {
      refuseWhenBusy(id)
      await testbeds.renew(id)
      status.forget(id)
    },
    tend: flights.tend,
    settled: (runId) => flights.of(runId)?.settled ?? Promise.resolve(),
    async close() {
      closing = true
      await flights.close()
    },
  }
}
