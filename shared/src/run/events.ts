/** The closed union of run events, which the log stores, the socket carries and fold.ts folds. */
import { i18n } from '../base/language.ts'
import { z } from 'zod'
import { capture } from '../measure/capture.ts'
import { caseComparison } from '../compare/comparison.ts'
import { problem } from '../base/errors.ts'
import { experimentPlan, leftOutArm } from '../measure/experiment.ts'
import { exhibit } from './exhibit.ts'
import { observation } from '../base/observation.ts'
import { stepParams, runId, type RunId } from '../labs/lab.ts'
import { benchmark } from '../measure/benchmark.ts'
import { armId, measurement, sample } from '../measure/measurement.ts'
import { armProfile } from '../profile/made.ts'
import { datapathState } from '../testbed/reading.ts'
import { testbedId } from '../testbed/id.ts'
import { check, testbedFacts } from '../testbed/testbed.ts'
import { placement } from '../testbed/placement.ts'
import { epochMs, family } from '../base/units.ts'

/** The step id of the run that restores everything and begins the lab again. */
export const RESET_STEP = 'reset'

export { runId, type RunId }
export const sessionId = z.string().regex(/^s_[0-9a-z]{8,40}$/)
export type SessionId = z.infer<typeof sessionId>

export const endState = z.enum(['completed', 'failed', 'cancelled', 'interrupted'])
export type EndState = z.infer<typeof endState>

/** `queued` until the run has its resources, then `running`, then an end state. */
export const runStatus = z.enum(['queued', 'running', ...endState.options])

/** The answer to "did this step work?". */
export const outcome = z.strictObject({
  /** Also true for a step that is left out: it has not failed, and the lab goes on. */
  passed: z.boolean(),
  /** The testbed can't do the step, so it did nothing. The sentence has the reason. */
  leftOut: z.literal(true).optional(),
  sentence: z.string(),
  observations: z.array(observation),
  /** A remedy to try; null if the step passed. */
  hint: z.string().nullable(),
})
export type Outcome = z.infer<typeof outcome>

/** The heading of an outcome. */
export function outcomeName({ passed, leftOut }: Pick<Outcome, 'passed' | 'leftOut'>): string {
  if (leftOut === true) return i18n.t('Left out')
  return passed ? i18n.t('Passed') : i18n.t('Not passed')
}

const commandId = z.number().int().nonnegative()

/** A run's session, step and testbed. */
export const runHead = {
  sessionId,
  labId: z.string(),
  stepId: z.string(),
  /** Events of versions without testbed ids only have the kind. */
  testbed: testbedId,
  /** The testbed's incarnation when the run started; for a queued run, when it was requested. */
  incarnation: z.string(),
  params: stepParams,
  /** When solving: the last step to run; null for a single step. */
  solveTo: z.string().nullable(),
}

/** A run's place in the queue. */
export const queuePlace = z.strictObject({
  /** 1 for the run that starts next. */
  place: z.number().int().positive(),
  /** Seconds until it probably starts; null if the duration of a run ahead is unknown. */
  expectedSeconds: z.number().nonnegative().nullable(),
  /** The instructor paused the queue, so the run does not start when its turn comes. */
  paused: z.boolean().default(false),
})
export type QueuePlace = z.infer<typeof queuePlace>

export const runEvent = z.discriminatedUnion('type', [
  /** Another run uses a resource that this one needs, so it waits. Sent again when its place in the queue changes. */
  z.strictObject({ type: z.literal('run.queued'), ...runHead, ...queuePlace.shape }),
  z.strictObject({ type: z.literal('run.started'), ...runHead }),
  /** `typed` is the line that a person would type for the same effect. */
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
    /** Null with an exit code. Both are null when Expresslane ended it, or lost it with the place where it ran. */
    signal: z.string().nullable(),
  }),
  z.strictObject({
    type: z.literal('progress'),
    /** The node or pod that the message is about, if the run waits for several; null for the whole run. */
    subject: z.string().nullable().default(null),
    message: z.string(),
    done: z.number().int().nonnegative(),
    total: z.number().int().positive(),
  }),
  z.strictObject({ type: z.literal('facts.read'), facts: testbedFacts }),
  z.strictObject({ type: z.literal('preflight.checked'), check }),
  z.strictObject({ type: z.literal('datapath.read'), datapath: datapathState }),
  z.strictObject({ type: z.literal('placement.made'), placement }),
  /** The plan of an experiment, with its final order, and the arms of the lab's plan that it does without. */
  z.strictObject({
    type: z.literal('experiment.planned'),
    plan: experimentPlan,
    leftOut: z.array(leftOutArm).optional(),
  }),
  z.strictObject({
    type: z.literal('repeat.started'),
    arm: armId,
    caseId: z.string().nullable().default(null),
    warmup: z.boolean().default(false),
    family,
    /** Null in events of versions that did not record it. */
    benchmark: benchmark.nullable().default(null),
    /** Its number in the run, from 1. */
    repeat: z.number().int().positive(),
    /** The total, as far as it is known. */
    repeats: z.number().int().positive(),
    seconds: z.number().positive(),
  }),
  /** A sample that the tool reports while it runs. */
  z.strictObject({ type: z.literal('sample.taken'), repeat: z.number().int().positive(), sample }),
  z.strictObject({
    type: z.literal('measurement.taken'),
    measurement,
    /** The number of an earlier repeat with the same fingerprint, which is then left out here. */
    fingerprintOf: z.number().int().positive().optional(),
  }),
  z.strictObject({
    type: z.literal('cases.compared'),
    comparisons: z.array(caseComparison),
    /**
     * An estimate during an experiment: it replaces only the comparisons that it has, and leaves out the values of single
     * runs, which the measurements have. Otherwise these are all comparisons.
     */
    estimate: z.literal(true).optional(),
  }),
  /** After the repeats of an arm; in the order of arms and cases. */
  z.strictObject({ type: z.literal('profile.made'), ...armProfile.shape }),
  z.strictObject({ type: z.literal('packets.captured'), capture }),
  /** An exhibit of a probe; exhibits are shown in the order of these events. */
  z.strictObject({ type: z.literal('exhibit.found'), exhibit }),
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
