/** A lab's session in a browser tab: one person, one testbed, and runs that no database keeps. */
import { LabError, toLabError, type Problem } from '@expresslane/shared/base/errors'
import { epochMs, type EpochMs } from '@expresslane/shared/base/units'
import type { Lab, Step, StepParams } from '@expresslane/shared/labs/lab'
import {
  RESET_STEP,
  runId,
  type EndState,
  type LoggedEvent,
  type RunEvent,
  type RunId,
} from '@expresslane/shared/run/events'
import { createFold, type RunFold } from '@expresslane/shared/run/fold'
import { factsOfRun, shownRuns } from '@expresslane/shared/run/run-facts'
import type { RunState } from '@expresslane/shared/run/run-state'
import type { RunAccepted, Session, SessionView } from '@expresslane/shared/wire/protocol'
import { planSteps, type RunRequest } from '../runs/coordination/plan.ts'
import type { LabTestbed } from '../runs/perform/perform.ts'
import type { Snapshot, SolveContext } from '../runs/perform/step-context.ts'

export interface TabSession {
  /** Starts a step, or with `solve` all steps up to it. @throws LabError `testbed_busy`, and the errors of `planSteps` */
  start(request: RunRequest): Promise<RunAccepted>
  /** Restores the testbed, after which the session begins again. @throws LabError `testbed_busy` */
  reset(): Promise<RunAccepted>
  /** Stops the run, and starts no further step. @throws LabError `run_not_running` */
  cancel(id: RunId): RunAccepted
  view(): Promise<SessionView>
}

interface SessionParts {
  /** As it is planned on the testbed. */
  readonly lab: Lab
  readonly session: Session
  readonly testbed: LabTestbed
  readonly now: () => number
  /** Called with events in the order of their `seq`. */
  report(events: readonly LoggedEvent[]): void
}

/** The steps that a request runs one after the other. */
interface Chain {
  readonly steps: readonly (Step | null)[]
  readonly params: StepParams
  readonly solveTo: string | null
  readonly stop: AbortController
  run: RunId
  stepId: string
}

/** The settings as a lab found them. */
function createSnapshot(): Snapshot {
  let kept: Awaited<ReturnType<Snapshot['read']>> = null
  return {
    read: () => Promise.resolve(kept),
    keep(settings) {
      kept ??= settings
      return Promise.resolve()
    },
    clear() {
      kept = null
      return Promise.resolve()
    },
  }
}

/** Events of runs: each has its number, and is folded before it is reported. */
function createTabLog({ now, report }: Pick<SessionParts, 'now' | 'report'>) {
  const folds = new Map<RunId, RunFold>()
  let seq = 0
  return {
    now: (): EpochMs => epochMs.parse(now()),
    seq: () => seq,
    append(run: RunId, events: readonly RunEvent[]): void {
      const fold = folds.get(run) ?? createFold()
      folds.set(run, fold)
      const logged = events.map((event): LoggedEvent => {
        seq += 1
        return { seq, runId: run, at: epochMs.parse(now()), event }
      })
      for (const one of logged) fold.add(one)
      report(logged)
    },
    states: (): RunState[] => [...folds.values()].flatMap((fold) => fold.state() ?? []),
    state: (id: RunId): RunState | null => folds.get(id)?.state() ?? null,
  }
}

function busyError(): LabError {
  return new LabError(
    'testbed_busy',
    'The emulated computer performs a step already.',
    'Wait until the step has ended, or cancel it.',
  )
}

export function createTabSession(parts: SessionParts): TabSession {
  const { lab, session, testbed } = parts
  const log = createTabLog(parts)
  const snapshot = createSnapshot()
  let chain: Chain | null = null
  let runs = 0

  function nextRun(): RunId {
    runs += 1
    // Sorts in the order of the runs.
    return runId.parse(`r_${log.now().toString(36)}${String(runs).padStart(4, '0')}`)
  }

  /** The runs since the last reset that still count. */
  function shown(): RunState[] {
    return shownRuns(log.states().map(factsOfRun)).flatMap(({ id }) => log.state(id) ?? [])
  }

  const incarnation = (): Promise<string> =>
    testbed.incarnation({ signal: new AbortController().signal, emit: () => {} })

  async function performStep(
    { params, stop, run }: Chain,
    step: Step | null,
    solve: SolveContext | null,
  ): Promise<{ readonly state: EndState; readonly problem: Problem | null }> {
    const { signal } = stop
    try {
      const state = await testbed.perform({
        lab,
        step,
        params,
        earlier: () => shown().filter(({ id }) => id !== run),
        snapshot,
        solve,
        signal,
        now: log.now,
        emit: (event) => log.append(run, [event]),
        emitAll: (events) => log.append(run, events),
      })
      return { state, problem: null }
    } catch (error) {
      if (signal.aborted) return { state: 'cancelled', problem: null }
      return { state: 'failed', problem: toLabError(error).toProblem() }
    }
  }

  /** Performs the steps until one does not pass. Never rejects. */
  async function carryOut(own: Chain, first: string): Promise<void> {
    const context: SolveContext | null = own.solveTo === null ? null : { next: [], reading: null, replaced: false }
    for (const [at, step] of own.steps.entries()) {
      if (at > 0) own.run = nextRun()
      own.stepId = step?.id ?? RESET_STEP
      if (context !== null) context.next = own.steps.slice(at + 1).flatMap((one) => one ?? [])
      const { stepId, params, solveTo } = own
      const head = { sessionId: session.id, labId: lab.id, stepId, testbed: session.testbed, params, solveTo }
      const present = at === 0 ? first : await incarnation().catch(() => first)
      log.append(own.run, [{ type: 'run.started', ...head, incarnation: present }])
      const ending = await performStep(own, step, context)
      log.append(own.run, [{ type: 'run.ended', ...ending }])
      const passed = ending.state === 'completed' && log.state(own.run)?.outcome?.passed === true
      if (!passed || own.stop.signal.aborted) break
    }
    chain = null
  }

  function begin(steps: readonly (Step | null)[], asked: Omit<RunRequest, 'stepId'>, to: string, present: string) {
    const { params, solve } = asked
    const stepId = steps[0]?.id ?? RESET_STEP
    const stop = new AbortController()
    const own: Chain = { steps, params, solveTo: solve ? to : null, stop, run: nextRun(), stepId }
    chain = own
    void carryOut(own, present)
    return { runId: own.run, stepId, queue: null } satisfies RunAccepted
  }

  return {
    async start(request) {
      if (chain !== null) throw busyError()
      const present = await incarnation()
      const steps = planSteps(lab, request, log.states().map(factsOfRun), present)
      if (chain !== null) throw busyError()
      return begin(steps, request, request.stepId, present)
    },
    async reset() {
      if (chain !== null) throw busyError()
      return begin([null], { params: {}, solve: false }, RESET_STEP, await incarnation())
    },
    cancel(id) {
      if (chain === null) throw new LabError('run_not_running', 'This run has ended.', 'No action is needed.')
      chain.stop.abort(new Error('cancelled by a person'))
      return { runId: id, stepId: chain.stepId, queue: null }
    },
    view: async () => ({ session, runs: shown(), incarnation: await incarnation(), seq: log.seq() }),
  }
}
