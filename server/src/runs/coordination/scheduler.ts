/** Accepts requests for runs. Each run gets exclusive resources, and waits in the queue while another run has them. */
import { LabError } from '@expresslane/shared/base/errors'
import { RESET_STEP, type QueuePlace, type RunId } from '@expresslane/shared/run/events'
import type { RunState } from '@expresslane/shared/run/run-state'
import type { RunAccepted, Session } from '@expresslane/shared/wire/protocol'
import { formatTestbedId, type TestbedId } from '@expresslane/shared/testbed/id'
import type { TestbedKind } from '@expresslane/shared/testbed/testbed'
import type { RunRow } from '../../store/runs.ts'
import { admit, checkRequest, type AdmissionParts } from './admission.ts'
import { busyError } from './busy.ts'
import { sharedOn } from './chain.ts'
import type { RunRequest } from './plan.ts'
import { abortSolve, type Solve } from './solve.ts'
import { endQueued } from './take-over.ts'
import { createTurns, type TurnsParts } from './turns.ts'

export interface Scheduler {
  /** Starts a step, or queues it. @throws LabError `not_found`, `bad_request`, `run_too_long`, `queue_full`, `quota_reached` */
  start(session: Session, request: RunRequest): Promise<RunAccepted>
  /** Restores the testbed, after which the session begins again. */
  reset(session: Session): Promise<RunAccepted>
  /**
   * Cancels a run and the remaining steps of its solve. Returns at once: a running run ends as `cancelled` when its
   * commands have stopped, a queued run ends immediately in any process.
   *
   * @throws LabError `not_found`, `run_not_running`
   */
  cancel(runId: RunId): RunAccepted
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

/** How long a request waits for another process's lock on the database. */
const LOCK_MS = 5000

/** Why a run can't be cancelled here. */
function notRunning({ state }: RunRow): LabError {
  return state === 'running'
    ? new LabError(
        'run_not_running',
        'This run belongs to another Expresslane process on this machine.',
        'Stop the run in that process.',
      )
    : new LabError('run_not_running', `This run has already ended (${state}).`, 'No action is needed.')
}

/** The place in the queue of a run that waits; null for any other run. */
export function placeIn(run: RunState | null): QueuePlace | null {
  if (run === null || run.queue === null) return null
  const { place, expectedSeconds, paused } = run.queue
  return { place, expectedSeconds, paused }
}

export function createScheduler(parts: TurnsParts & AdmissionParts): Scheduler {
  const { store, log, testbeds, status, findLab, queue, quota } = parts
  const turns = createTurns(parts)
  let closing = false

  function refuseWhenClosing(): void {
    if (!closing) return
    throw new LabError('server_restarted', 'Expresslane is stopping.', 'Start it again with `npm start`.')
  }

  /** Runs of ended processes do not count. */
  function refuseWhenBusy(testbed: TestbedId): void {
    turns.tend()
    const holder = store.runs.open().find((run) => run.testbed === testbed)
    if (holder !== undefined) throw busyError(findLab, holder)
  }

  function requireRow(runId: RunId): RunRow {
    const row = store.runs.find(runId)
    if (row === null) throw new LabError('not_found', 'This run does not exist.', 'Find the run in the history.')
    return row
  }

  function solveOf(runId: RunId): Solve | undefined {
    return [...turns.solves].find(({ runs }) => runs.has(runId))
  }

  /** The same solve that runs or waits already: starting it again has no effect. */
  function underWay({ id }: Session, { stepId, params }: RunRequest): Solve | undefined {
    const asked = JSON.stringify(params)
    const same = (one: Solve): boolean => one.session.id === id && one.solveTo === stepId && !one.cancelled
    return [...turns.solves].find((one) => same(one) && JSON.stringify(one.params) === asked)
  }

  function accepted({ run }: Solve, place: QueuePlace | null): RunAccepted {
    return { runId: run.id, stepId: run.step?.id ?? RESET_STEP, queue: place }
  }

  async function launch(session: Session, request: RunRequest | null): Promise<RunAccepted> {
    refuseWhenClosing()
    const checked = checkRequest(parts, session, request)
    turns.tend()
    const { testbed } = session
    const [incarnation, shared] = await Promise.all([status.incarnation(testbed), sharedOn(parts, testbed)])
    await log.settled(LOCK_MS)
    await quota.count(checked.person)
    refuseWhenClosing()
    const same = request?.solve === true ? underWay(session, request) : undefined
    if (same !== undefined) return accepted(same, placeIn(log.state(same.run.id)))
    const solve = admit(parts, checked, { incarnation, shared })
    return accepted(solve, turns.begin(solve))
  }

  /** @returns false if it is not queued in any process */
  function cancelQueued(runId: RunId): boolean {
    const isCancelled = store.runs.find(runId)?.state === 'queued' && endQueued(parts, runId, 'cancelled')
    if (isCancelled) turns.advance()
    return isCancelled
  }

  return {
    start: launch,
    reset: (session) => launch(session, null),
    cancel(runId) {
      const solve = solveOf(runId)
      if (solve !== undefined) {
        const waits = solve.turn !== null
        abortSolve(solve, 'cancelled by a person')
        if (waits) cancelQueued(solve.run.id)
        return accepted(solve, null)
      }
      turns.tend()
      const row = requireRow(runId)
      if (!cancelQueued(runId)) throw notRunning(row)
      return { runId, stepId: row.stepId, queue: null }
    },
    jump(runId) {
      const { state, stepId } = requireRow(runId)
      if (!queue.jump(runId)) {
        throw new LabError('run_not_running', `This run is not waiting (${state}).`, 'No action is needed.')
      }
      turns.advance()
      return { runId, stepId, queue: placeIn(log.state(runId)) }
    },
    pauseQueue(on) {
      store.queue.pause(on)
      turns.advance()
    },
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
    tend: turns.tend,
    settled: (runId) => solveOf(runId)?.settled ?? Promise.resolve(),
    async close() {
      closing = true
      await turns.close()
    },
  }
}
