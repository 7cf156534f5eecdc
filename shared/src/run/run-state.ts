/** A run's state, as its events fold to it (fold.ts). */
import { z } from 'zod'
import { capture } from '../measure/capture.ts'
import { caseComparison } from '../compare/comparison.ts'
import { problem } from '../base/errors.ts'
import { exhibit } from './exhibit.ts'
import { outcome, queuePlace, runHead, runId, runStatus } from './events.ts'
import { experimentPlan, leftOutArm } from '../measure/experiment.ts'
import { benchmark } from '../measure/benchmark.ts'
import { armId, measurement, sample, type Measurement } from '../measure/measurement.ts'
import { armProfile } from '../profile/made.ts'
import { datapathState } from '../testbed/reading.ts'
import { check, testbedFacts } from '../testbed/testbed.ts'
import { placement } from '../testbed/placement.ts'
import { epochMs, family } from '../base/units.ts'

/** A run's log keeps this many lines; the event log in the store keeps all. */
export const LOG_LINES_KEPT = 2000

const logLine = z.strictObject({
  seq: z.number().int(),
  /**
   * `command` is the line that a person would type; `exit` says how it failed, and `stopped` that Expresslane ended it; the
   * others are the tool's output.
   */
  kind: z.enum(['command', 'stdout', 'stderr', 'exit', 'stopped']),
  where: z.string(),
  text: z.string(),
})
export type LogLine = z.infer<typeof logLine>

/** A repeat of a measurement, with its live samples and, at its end, its result. */
export const repeatState = z.strictObject({
  arm: armId,
  caseId: z.string().nullable(),
  warmup: z.boolean(),
  family,
  /** Null if it is unknown. */
  benchmark: benchmark.nullable(),
  repeat: z.number().int(),
  repeats: z.number().int(),
  seconds: z.number(),
  /** The rate of the testbed's clock; null if the clock shows time. */
  instructionsPerMicrosecond: z.number().positive().nullable().default(null),
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
  /** The arms that the plan does without, because the testbed can't do them. */
  leftOut: z.array(leftOutArm).default([]),
  repeats: z.array(repeatState),
  /** The current comparisons with the first arm. */
  comparisons: z.array(caseComparison),
  /** The profiles of its arms, in the order taken. */
  profiles: z.array(armProfile).default([]),
  capture: capture.nullable(),
  /** The exhibits of the probe, in order. */
  exhibits: z.array(exhibit).default([]),
  outcome: outcome.nullable(),
  problem: problem.nullable(),
})
export type RunState = z.infer<typeof runState>

/** All measurements of a run in the order taken, warm-ups included. */
export function takenIn({ repeats }: Pick<RunState, 'repeats'>): Measurement[] {
  return repeats.flatMap(({ measurement: one }) => one ?? [])
}

/** A run's measurements in the order taken, without warm-ups. */
export function measurementsOf(run: RunState): Measurement[] {
  return takenIn(run).filter(({ warmup }) => !warmup)
}

/** False for a queued run, and for a run that was cancelled in the queue. */
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
