/** A report as data: the JSON that is exported, and what the other formats are written from. */
import { z } from 'zod'
import { capture } from '../measure/capture.ts'
import { comparison } from '../compare/comparison.ts'
import { problem } from '../wire/errors.ts'
import { runStatus, outcome, runId, sessionId } from '../run/events.ts'
import { experimentPlan } from '../measure/experiment.ts'
import { stepParams } from '../labs/lab.ts'
import { session } from '../wire/protocol.ts'
import { repeatState } from '../run/run-state.ts'
import { testbedFacts, testbedKind } from '../testbed/testbed.ts'
import { epochMs } from '../measure/units.ts'

/** Grows with every change that a reader of older reports would stumble over. */
export const REPORT_VERSION = 2

/** A line of the raw output: what a person would type, what the tool printed, how it ended. */
export const outputLine = z.strictObject({
  at: epochMs,
  kind: z.enum(['command', 'stdout', 'stderr', 'exit']),
  /** Pod or node; empty but for a command. */
  where: z.string(),
  text: z.string(),
})
export type OutputLine = z.infer<typeof outputLine>

export const difference = z.strictObject({ key: z.string(), label: z.string(), was: z.string(), is: z.string() })

export const reportComparison = z.strictObject({
  /** What was compared, for people. */
  title: z.string(),
  /** The run that made it; null where it was made of two runs. */
  runId: runId.nullable(),
  /** The experiment's case and arms; null where it was no experiment. */
  case: z.strictObject({ id: z.string(), arm: z.string(), against: z.string() }).nullable(),
  comparison,
  /** What differs between the two sides besides what they are about. */
  differences: z.array(difference),
  /** That both sides were measured under one setting; null where they were not. */
  caution: z.string().nullable(),
})
export type ReportComparison = z.infer<typeof reportComparison>

export const reportRun = z.strictObject({
  id: runId,
  sessionId,
  labId: z.string(),
  stepId: z.string(),
  /** The step's title. */
  title: z.string(),
  testbed: testbedKind,
  incarnation: z.string(),
  state: runStatus,
  startedAt: epochMs,
  endedAt: epochMs.nullable(),
  params: stepParams,
  plan: experimentPlan.nullable(),
  outcome: outcome.nullable(),
  problem: problem.nullable(),
  /** The environment as this run read it; null where it did not. */
  facts: testbedFacts.nullable(),
  /** Every benchmark run in the order taken, warm-ups included, with its live samples. */
  repeats: z.array(repeatState),
  capture: capture.nullable(),
  /** All of it, as the tools printed it. */
  output: z.array(outputLine),
})
export type ReportRun = z.infer<typeof reportRun>

export const report = z.strictObject({
  format: z.literal('expresslane-report'),
  version: z.literal(REPORT_VERSION),
  /** Of what it is: two runs that a person laid side by side are a `comparison`. */
  about: z.enum(['session', 'run', 'comparison']),
  title: z.string(),
  /** Expresslane's own version. */
  madeBy: z.string(),
  madeAt: epochMs,
  /** Played back from a recording: nothing was measured when these runs ran. */
  recording: z.boolean(),
  lab: z.strictObject({ id: z.string(), title: z.string(), question: z.string() }).nullable(),
  sessions: z.array(session.omit({ owner: true })),
  runs: z.array(reportRun).min(1),
  comparisons: z.array(reportComparison),
})
export type Report = z.infer<typeof report>
