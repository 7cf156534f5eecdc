/** The sessions of a browser tab: one person, one testbed, and runs that no database keeps. */
import { LabError, toLabError, type Problem } from '@expresslane/shared/base/errors'
import { epochMs, type EpochMs } from '@expresslane/shared/base/units'
import type { Settings } from '@expresslane/shared/base/settings'
import type { Lab, Step, StepParams } from '@expresslane/shared/labs/lab'
import { labOn } from '@expresslane/shared/labs/on-testbed'
import {
  RESET_STEP,
  runId,
  sessionId,
  type EndState,
  type LoggedEvent,
  type RunEvent,
  type RunId,
  type SessionId,
} from '@expresslane/shared/run/events'
import { createFold, type RunFold } from '@expresslane/shared/run/fold'
import { factsOfRun, shownRuns } from '@expresslane/shared/run/run-facts'
import type { RunState } from '@expresslane/shared/run/run-state'
import { kindOf, type TestbedId } from '@expresslane/shared/testbed/id'
import type { RunAccepted, Session, SessionView, TestbedView } from '@expresslane/shared/wire/protocol'
import { planSteps, requireLab, type RunRequest } from '../runs/coordination/plan.ts'
import type { LabTestbed } from '../runs/perform/perform.ts'
import type { Snapshot, SolveContext } from '../runs/perform/step-context.ts'

export interface TabSessions {
  /** The session of a lab, which begins with the first call. @throws LabError `not_found` */
  begin(labId: string): Promise<SessionView>
  /** @throws LabError `not_found` */
  view(session: SessionId): Promise<SessionView>
  /** Starts a step, or with `solve` all steps up to it. @throws LabError `testbed_busy`, and the errors of `planSteps` */
  start(session: SessionId, request: RunRequest): Promise<RunAccepted>
  /** Restores the testbed, after which the session begins again. @throws LabError `testbed_busy` */
  reset(session: SessionId): Promise<RunAccepted>
  /** Stops the run, and starts no further step. @throws LabError `run_not_running` */
  cancel(id: RunId): RunAccepted
  /** Resolves when the present step has ended, and those after it of the same request. */
  free(): Promise<void>
  /** The run that uses the testbed; null while it is free. */
  busy(): TestbedView['busy']
  /** The settings that a reset restores; null if nothing was changed. */
  toRestore(): Promise<Settings | null>
}

interface SessionsParts {
  readonly labs: readonly Lab[]
  readonly testbed: LabTestbed
  readonly id: TestbedId
  readonly now: () => number
  /** Called with events in the order of their `seq`. */
  report(events: readonly LoggedEvent[]): void
}

/** A session, and its lab as it is planned on the testbed. */
interface Begun {
  readonly session: Session
  readonly lab: Lab
}

/** The steps that a request runs one after the other. */
interface Chain extends Begun {
  readonly steps: readonly (Step | null)[]
  readonly params: StepParams
  readonly solveTo: string | null
  readonly stop: AbortController
  run: RunId
  stepId: string
}

interface Ending {
  readonly state: EndState
  readonly problem: Problem | null
}

/** The id of the person, who is alone. */
const OWNER = 'reader'

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
function createTabLog({ now, report }: Pick<SessionsParts, 'now' | 'report'>) {
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

/** Runs by session, and their numbers. */
function createTabRuns(parts: Pick<SessionsParts, 'now' | 'report'>) {
  const log = createTabLog(parts)
  let runs = 0
  const of = (session: SessionId): RunState[] => log.states().filter(({ sessionId: owner }) => owner === session)
  return {
    log,
    next(): RunId {
      runs += 1
      // Sorts in the order of the runs.
      return runId.parse(`r_${log.now().toString(36)}${String(runs).padStart(4, '0')}`)
    },
    factsOf: (session: SessionId) => of(session).map(factsOfRun),
    /** Since the last reset, as far as they still count. */
    shown: (session: SessionId): RunState[] =>
      shownRuns(of(session).map(factsOfRun)).flatMap(({ id }) => log.state(id) ?? []),
  }
}

interface PerformerParts extends Pick<SessionsParts, 'testbed' | 'id'> {
  readonly runs: ReturnType<typeof createTabRuns>
  readonly snapshot: Snapshot
  incarnation(): Promise<string>
}

/** Carries chains of steps out. */
function createPerformer({ testbed, id: testbedId, runs, snapshot, incarnation }: PerformerParts) {
  const { log, shown } = runs

  async function performStep(
    { lab, session, params, stop, run }: Chain,
    step: Step | null,
    solve: SolveContext | null,
  ): Promise<Ending> {
    const { signal } = stop
    try {
      const state = await testbed.perform({
        lab,
        step,
        params,
        earlier: () => shown(session.id).filter(({ id }) => id !== run),
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

  /** Performs the steps until one does not pass. @param free called before the end of the last run is reported */
  return async (own: Chain, first: string, free: () => void): Promise<void> => {
    const { session, lab, params, solveTo } = own
    const context: SolveContext | null = solveTo === null ? null : { next: [], reading: null, replaced: false }
    for (const [at, step] of own.steps.entries()) {
      if (at > 0) own.run = runs.next()
      own.stepId = step?.id ?? RESET_STEP
      if (context !== null) context.next = own.steps.slice(at + 1).flatMap((one) => one ?? [])
      const head = { sessionId: session.id, labId: lab.id, stepId: own.stepId, testbed: testbedId, params, solveTo }
      const present = at === 0 ? first : await incarnation().catch(() => first)
      log.append(own.run, [{ type: 'run.started', ...head, incarnation: present }])
      const ending = await performStep(own, step, context)
      const passed = ending.state === 'completed' && log.state(own.run)?.outcome?.passed === true
      const goesOn = passed && !own.stop.signal.aborted && at < own.steps.length - 1
      if (!goesOn) free()
      log.append(own.run, [{ type: 'run.ended', ...ending }])
      if (!goesOn) return
    }
  }
}

/** The sessions of one person: one for each lab, all on one testbed. */
export function createTabSessions(parts: SessionsParts): TabSessions {
  const { labs, testbed, id: testbedId } = parts
  const runs = createTabRuns(parts)
  const snapshot = createSnapshot()
  const incarnation = (): Promise<string> =>
    testbed.incarnation({ signal: new AbortController().signal, emit: () => {} })
  const carryOut = createPerformer({ testbed, id: testbedId, runs, snapshot, incarnation })
  const begun = new Map<SessionId, Begun>()
  let chain: Chain | null = null
  let carried = Promise.resolve()

  function requireFree(): void {
    if (chain === null) return
    throw new LabError(
      'testbed_busy',
      'The emulated computer performs a step already.',
      'Wait until the step has ended, or cancel it.',
    )
  }

  function requireSession(id: SessionId): Begun {
    const found = begun.get(id)
    if (found !== undefined) return found
    throw new LabError('not_found', 'This session does not exist in this tab.', 'Begin the lab again.')
  }

  async function launch(of: Begun, request: RunRequest | null): Promise<RunAccepted> {
    requireFree()
    const present = await incarnation()
    const steps = request === null ? [null] : planSteps(of.lab, request, runs.factsOf(of.session.id), present)
    requireFree()
    const stepId = steps[0]?.id ?? RESET_STEP
    const { params, solve } = request ?? { params: {}, solve: false }
    const solveTo = request !== null && solve ? request.stepId : null
    const own: Chain = { ...of, steps, params, solveTo, stop: new AbortController(), run: runs.next(), stepId }
    chain = own
    const free = (): void => {
      if (chain === own) chain = null
    }
    carried = carryOut(own, present, free).finally(free)
    return { runId: own.run, stepId, queue: null }
  }

  const view = async ({ session }: Begun): Promise<SessionView> => ({
    session,
    runs: runs.shown(session.id),
    incarnation: await incarnation(),
    seq: runs.log.seq(),
  })

  return {
    async begin(labId) {
      const known = [...begun.values()].find(({ lab }) => lab.id === labId)
      if (known !== undefined) return view(known)
      const listed = labs.find((one) => one.id === labId)
      const lab = labOn(requireLab(listed, labId), kindOf(testbedId))
      const createdAt = runs.log.now()
      const id = sessionId.parse(`s_${createdAt.toString(36)}${String(begun.size).padStart(2, '0')}`)
      const made = { session: { id, labId, testbed: testbedId, owner: OWNER, createdAt }, lab }
      begun.set(id, made)
      return view(made)
    },
    view: async (id) => view(requireSession(id)),
    start: async (id, request) => launch(requireSession(id), request),
    reset: async (id) => launch(requireSession(id), null),
    cancel(id) {
      const run = runs.log.state(id)
      // An earlier run of a solve stands for the whole solve.
      if (
        chain === null ||
        run === null ||
        run.sessionId !== chain.session.id ||
        (id !== chain.run && chain.solveTo === null)
      ) {
        throw new LabError('run_not_running', 'This run has ended.', 'No action is needed.')
      }
      chain.stop.abort(new Error('cancelled by a person'))
      return { runId: chain.run, stepId: chain.stepId, queue: null }
    },
    free: () => carried,
    busy: () => (chain === null ? null : { runId: chain.run, sessionId: chain.session.id, stepId: chain.stepId }),
    toRestore: () => snapshot.read(),
  }
}
