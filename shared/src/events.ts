/** The one closed union of run events: what the log stores, the socket carries and `reduceRun` folds. */
import { z } from 'zod'
import { comparison } from './compare.ts'
import { problem } from './errors.ts'
import { stepParams } from './lab.ts'
import { arm, measurement } from './measurement.ts'
import { datapathState } from './reading.ts'
import { check, placement, testbedFacts, testbedKind } from './testbed.ts'
import { epochMs, family, transactionsPerSecond } from './units.ts'

/** The step id of the run that puts everything back and begins the walk again. */
export const RESET_STEP = 'reset'

export const runId = z.string().regex(/^r_[0-9a-z]{8,40}$/)
export type RunId = z.infer<typeof runId>
export const sessionId = z.string().regex(/^s_[0-9a-z]{8,40}$/)
export type SessionId = z.infer<typeof sessionId>

export const endState = z.enum(['completed', 'failed', 'cancelled', 'interrupted'])
export type EndState = z.infer<typeof endState>

/** One observed value of a step's check against what was expected. */
export const observation = z.strictObject({
  label: z.string(),
  /** Null where nothing in particular was expected. */
  expected: z.string().nullable(),
  seen: z.string(),
  ok: z.boolean(),
})
export type Observation = z.infer<typeof observation>

/** The answer to "did this step work?". */
export const outcome = z.strictObject({
  passed: z.boolean(),
  sentence: z.string(),
  observations: z.array(observation),
  /** What to try; null when it passed. */
  hint: z.string().nullable(),
})
export type Outcome = z.infer<typeof outcome>

const commandId = z.number().int().nonnegative()

export const runEvent = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('run.started'),
    sessionId,
    labId: z.string(),
    stepId: z.string(),
    testbed: testbedKind,
    /** The testbed's incarnation that it started on. */
    incarnation: z.string(),
    params: stepParams,
    /** When solving: the step to go on to; null for a single step. */
    solveTo: z.string().nullable(),
  }),
  /** `typed` is what a person would type for the same effect. */
  z.strictObject({ type: z.literal('command.started'), commandId, where: z.string(), typed: z.string() }),
  z.strictObject({
    type: z.literal('command.output'),
    commandId,
    stream: z.enum(['stdout', 'stderr']),
    text: z.string(),
  }),
  z.strictObject({
    type: z.literal('command.ended'),
    commandId,
    /** Null when a signal ended it. */
    exitCode: z.number().int().nullable(),
    signal: z.string().nullable(),
  }),
  z.strictObject({
    type: z.literal('progress'),
    message: z.string(),
    done: z.number().int().nonnegative(),
    total: z.number().int().positive(),
  }),
  z.strictObject({ type: z.literal('facts.read'), facts: testbedFacts }),
  z.strictObject({ type: z.literal('preflight.checked'), check }),
  z.strictObject({ type: z.literal('datapath.read'), datapath: datapathState }),
  z.strictObject({ type: z.literal('placement.made'), placement }),
  z.strictObject({
    type: z.literal('repeat.started'),
    arm,
    family,
    repeat: z.number().int().positive(),
    repeats: z.number().int().positive(),
    seconds: z.number().int().positive(),
  }),
  z.strictObject({
    type: z.literal('sample.taken'),
    repeat: z.number().int().positive(),
    /** Seconds since the repeat's own start. */
    atSeconds: z.number().nonnegative(),
    tps: transactionsPerSecond,
  }),
  z.strictObject({ type: z.literal('measurement.taken'), measurement }),
  z.strictObject({ type: z.literal('comparison.made'), comparison }),
  z.strictObject({ type: z.literal('step.checked'), outcome }),
  z.strictObject({ type: z.literal('run.ended'), state: endState, problem: problem.nullable() }),
])
export type RunEvent = z.infer<typeof runEvent>

/** An event as the log holds it. `seq` is global, grows by at least one, and never repeats. */
export const loggedEvent = z.strictObject({
  seq: z.number().int().positive(),
  runId,
  at: epochMs,
  event: runEvent,
})
export type LoggedEvent = z.infer<typeof loggedEvent>
