/** The only fold from events to a run's state, for server, page and tests. */
import { z } from 'zod'
import { capture } from '../measure/capture.ts'
import { caseComparison } from '../compare/comparison.ts'
import { assertNever, problem } from '../wire/errors.ts'
import { outcome, queuePlace, runHead, runId, runStatus, type LoggedEvent } from './events.ts'
import { experimentPlan } from '../measure/experiment.ts'
import { benchmark } from '../measure/benchmark.ts'
import { armId, measurement, sample, type Measurement } from '../measure/measurement.ts'
import { datapathState } from '../testbed/reading.ts'
import { check, testbedFacts } from '../testbed/testbed.ts'
import { placement } from '../testbed/placement.ts'
import { epochMs, family } from '../measure/units.ts'

/** A run's log keeps this many lines; the event log in the store keeps all. */
export const LOG_LINES_KEPT = 2000

const logLine = z.strictObject({
  seq: z.number().int(),
  /** `command` is the line that a person would type; the others are the tool's output. */
  kind: z.enum(['command', 'stdout', 'stderr', 'exit']),
  where: z.string(),
  text: z.string(),
})
export type LogLine = z.infer<typeof logLine>

/** One repeat of a measurement, with its live samples and, at its end, its result. */
export const repeatState = z.strictObject({
  arm: armId,
  caseId: z.string().nullable(),
  warmup: z.boolean(),
  family,
  /** Null if it is unknown. */
  benchmark: benchmark.nullable(),
  repeat: z.number().int(),
  repeats: z.number().int(),
  seconds: z.number().int(),
  samples: z.array(sample),
  measurement: measurement.nullable(),
})
export type RepeatState = z.infer<typeof repeatState>

export const runState = z.strictObject({
  id: runId,
  ...runHead,
  state: runStatus,
  /** Null once the run has started; kept in a run that was cancelled before. `at` is when the place was reported. */
  queue: queuePlace.extend({ at: epochMs }).nullable(),
  /** For a queued run: when it was requested. */
  startedAt: epochMs,
  endedAt: epochMs.nullable(),
  lastSeq: z.number().int(),
  progress: z.strictObject({ message: z.string(), done: z.number(), total: z.number() }).nullable(),
  log: z.array(logLine),
  /** Number of lines that were dropped at the start, beyond {@link LOG_LINES_KEPT}. */
  logDropped: z.number().int(),
  facts: testbedFacts.nullable(),
  checks: z.array(check),
  datapath: datapathState.nullable(),
  placement: placement.nullable(),
  /** Null if the run is not an experiment. */
  plan: experimentPlan.nullable(),
  repeats: z.array(repeatState),
  /** The current comparisons with the first arm. */
  comparisons: z.array(caseComparison),
  capture: capture.nullable(),
  outcome: outcome.nullable(),
  problem: problem.nullable(),
})
export type RunState = z.infer<typeof runState>

function queueOf({ event, at }: LoggedEvent): RunState['queue'] {
  return event.type === 'run.queued'
    ? { place: event.place, expectedSeconds: event.expectedSeconds, paused: event.paused, at }
    : null
}

function start(logged: LoggedEvent): RunState {
  const { event } = logged
  if (event.type !== 'run.started' && event.type !== 'run.queued') {
    throw new Error(`run ${logged.runId} begins with neither run.queued nor run.started`)
  }
  const { sessionId: session, labId, stepId, testbed, incarnation, params, solveTo } = event
  return {
    id: logged.runId,
    sessionId: session,
    labId,
    stepId,
    testbed,
    incarnation,
    params,
    solveTo,
    state: event.type === 'run.queued' ? 'queued' : 'running',
    queue: queueOf(logged),
    startedAt: logged.at,
    endedAt: null,
    lastSeq: logged.seq,
    progress: null,
    log: [],
    logDropped: 0,
    facts: null,
    checks: [],
    datapath: null,
    placement: null,
    plan: null,
    repeats: [],
    comparisons: [],
    capture: null,
    outcome: null,
    problem: null,
  }
}

function appendLog(state: RunState, line: LogLine): RunState {
  const over = state.log.length + 1 - LOG_LINES_KEPT
  const kept = over > 0 ? state.log.slice(over) : state.log
  return { ...state, log: [...kept, line], logDropped: state.logDropped + Math.max(0, over) }
}

function changeRepeat(state: RunState, repeat: number, change: (one: RepeatState) => RepeatState): RunState {
  return { ...state, repeats: state.repeats.map((one) => (one.repeat === repeat ? change(one) : one)) }
}

function fold(state: RunState, logged: LoggedEvent): RunState {
  const { event, seq, at } = logged
  switch (event.type) {
    case 'run.queued':
      return { ...state, stepId: event.stepId, queue: queueOf(logged) }
    case 'run.started': {
      if (state.queue === null) return state
      const { stepId, incarnation } = event
      return { ...state, state: 'running', queue: null, startedAt: at, stepId, incarnation }
    }
    case 'command.started':
      return appendLog(state, { seq, kind: 'command', where: event.where, text: event.typed })
    case 'command.output':
      return appendLog(state, { seq, kind: event.stream, where: '', text: event.text })
    case 'command.ended': {
      if (event.exitCode === 0) return state
      const text = event.exitCode === null ? `ended by ${event.signal ?? 'a signal'}` : `exit ${event.exitCode}`
      return appendLog(state, { seq, kind: 'exit', where: '', text })
    }
    case 'progress':
      return { ...state, progress: { message: event.message, done: event.done, total: event.total } }
    case 'facts.read':
      return { ...state, facts: event.facts }
    case 'preflight.checked':
      return { ...state, checks: [...state.checks, event.check] }
    case 'datapath.read':
      return { ...state, datapath: event.datapath }
    case 'placement.made':
      return { ...state, placement: event.placement }
    case 'repeat.started': {
      const { arm, caseId, warmup, family: of, repeat, repeats, seconds } = event
      const planned = state.plan?.cases.find(({ id }) => id === caseId)?.benchmark ?? null
      const head = { arm, caseId, warmup, family: of, repeat, repeats, seconds }
      const started = { ...head, benchmark: event.benchmark ?? planned, samples: [], measurement: null }
      return { ...state, repeats: [...state.repeats, started] }
    }
    case 'sample.taken':
      return changeRepeat(state, event.repeat, (one) => ({ ...one, samples: [...one.samples, event.sample] }))
    case 'experiment.planned':
      return { ...state, plan: event.plan }
    case 'measurement.taken': {
      const { measurement: taken } = event
      return changeRepeat(state, taken.repeat, (one) => ({ ...one, benchmark: taken.benchmark, measurement: taken }))
    }
    case 'cases.compared':
      return { ...state, comparisons: event.comparisons }
    case 'packets.captured':
      return { ...state, capture: event.capture }
    case 'step.checked':
      return { ...state, outcome: event.outcome }
    case 'run.ended':
      return { ...state, state: event.state, endedAt: at, problem: event.problem, progress: null }
    default:
      return assertNever(event)
  }
}

/**
 * Folds one logged event into a run's state. An event at or below `lastSeq` was folded
 * before and changes nothing, so a replay after a reconnect doubles nothing.
 *
 * @param state null before the run's first event, which must be `run.queued` or `run.started`
 */
export function reduceRun(state: RunState | null, logged: LoggedEvent): RunState {
  if (state === null) return start(logged)
  if (logged.seq <= state.lastSeq) return state
  return { ...fold(state, logged), lastSeq: logged.seq }
}

/** All measurements of a run in the order taken, warm-ups included. */
export function takenIn({ repeats }: Pick<RunState, 'repeats'>): Measurement[] {
  return repeats.flatMap(({ measurement: one }) => one ?? [])
}

/** A run's measurements in the order taken, without warm-ups. */
export function measurementsOf(run: RunState): Measurement[] {
  return takenIn(run).filter(({ warmup }) => !warmup)
}

/** False for a queued run, and for one that was cancelled in the queue. */
export function hasStarted({ queue }: Pick<RunState, 'queue'>): boolean {
  return queue === null
}

/** A queued or running run. */
export function isOpen({ state }: Pick<RunState, 'state'>): boolean {
  return state === 'queued' || state === 'running'
}

/** A finished run whose check passed. */
export function hasPassed(run: RunState): boolean {
  return run.state === 'completed' && run.outcome?.passed === true
}
