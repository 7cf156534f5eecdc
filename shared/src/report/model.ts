/** A report as data: the exported JSON, and the input of the other formats. */
import { z } from 'zod'
import { capture } from '../measure/capture.ts'
import { comparison } from '../compare/comparison.ts'
import { opinion } from '../compare/opinion.ts'
import { problem } from '../base/errors.ts'
import { exhibit } from '../run/exhibit.ts'
import { runStatus, outcome, runId, sessionId } from '../run/events.ts'
import { experimentPlan } from '../measure/experiment.ts'
import { stepParams } from '../labs/lab.ts'
import { session } from '../wire/protocol.ts'
import { armProfile } from '../profile/made.ts'
import { repeatState } from '../run/run-state.ts'
import { testbedFacts, testbedKind } from '../testbed/testbed.ts'
import { epochMs } from '../base/units.ts'

/** Increases with every change that breaks a reader of older reports. */
export const REPORT_VERSION = 2

/** A line of the raw output: a command as a person would type it, a line that it printed, or how it ended. */
export const outputLine = z.strictObject({
  at: epochMs,
  kind: z.enum(['command', 'stdout', 'stderr', 'exit', 'stopped']),
  /** Pod or node of a command; empty for other lines. */
  where: z.string(),
  text: z.string(),
})
export type OutputLine = z.infer<typeof outputLine>
/** Any number of lines, which can be read while the report is written. */
export type OutputLines = Iterable<OutputLine> & { readonly length: number }

export const difference = z.strictObject({ key: z.string(), label: z.string(), was: z.string(), is: z.string() })

export const reportComparison = z.strictObject({
  /** The compared arms or runs, for people. */
  title: z.string(),
  /** The run that made it; null if it compares two runs. */
  runId: runId.nullable(),
  /** The experiment's case and arms; null where it was no experiment. */
  case: z.strictObject({ id: z.string(), arm: z.string(), against: z.string() }).nullable(),
  comparison,
  /** Differences between the two sides besides the compared settings. */
  differences: z.array(difference),
  /** A warning that both sides were measured with the same settings; null if they were not. */
  caution: z.string().nullable(),
  /** The counted machine's opinion on the comparison; missing without a second opinion, and until that has completed. */
  opinion: opinion.pick({ counted: true, agreement: true, sentence: true, meaning: true }).extend({ runId }).optional(),
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
  /** The profiles of its arms, in the order taken; missing without profiles. */
  profiles: z.array(armProfile).optional(),
  capture: capture.nullable(),
  /** The exhibits of a probe, in order. */
  exhibits: z.array(exhibit),
  /** Complete, as the tools printed it. */
  output: z.array(outputLine),
})
export type ReportRun = Omit<z.infer<typeof reportRun>, 'output'> & { readonly output: OutputLines }

export const report = z.strictObject({
  format: z.literal('expresslane-report'),
  version: z.literal(REPORT_VERSION),
  /** The report's subject; two runs on the compare page are a `comparison`. */
  about: z.enum(['session', 'run', 'comparison']),
  title: z.string(),
  /** Expresslane's version. */
  madeBy: z.string(),
  madeAt: epochMs,
  /** Played back from a recording: nothing was measured when these runs ran. */
  recording: z.boolean(),
  lab: z.strictObject({ id: z.string(), title: z.string(), question: z.string() }).nullable(),
  sessions: z.array(session.omit({ owner: true })),
  runs: z.array(reportRun).min(1),
  comparisons: z.array(reportComparison),
  /** The same changes as others published them, as sentences; no figure depends on them. */
  published: z.array(z.string()),
})
export type Report = Omit<z.infer<typeof report>, 'runs'> & { readonly runs: ReportRun[] }

/** The published JSON Schema 2020-12, for scripts that check exported files; generated from the schema that the reports are written with. */
export function reportJsonSchema(): object {
  return {
    ...z.toJSONSchema(report, { target: 'draft-2020-12', io: 'output' }),
    title: `Expresslane report, version ${REPORT_VERSION}`,
  }
}
