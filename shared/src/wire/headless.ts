/** The JSON that `npm run lab -- LAB --json FILE` writes, the same for every lab. */
import { z } from 'zod'
import { problem } from '../base/errors.ts'
import { capture } from '../measure/capture.ts'
import { exhibit } from '../run/exhibit.ts'
import { caseComparison, comparedRow } from '../compare/comparison.ts'
import { benchmark } from '../measure/benchmark.ts'
import { opinion } from '../compare/opinion.ts'
import { armPlan, experimentPlan, leftOutArm } from '../measure/experiment.ts'
import { runStatus } from '../run/events.ts'
import { armId, measurement } from '../measure/measurement.ts'
import { metricValues } from '../measure/metrics.ts'
import { reading } from '../testbed/reading.ts'
import { testbedFacts, testbedKind } from '../testbed/testbed.ts'
import { family } from '../base/units.ts'

const stepId = z.string()
const microseconds = z.number().nonnegative()

/** A benchmark run. The first three fields repeat values under the names that older scripts read. */
const headlessMeasurement = z.strictObject({
  /** Missing for tools that count no transactions. */
  tps: z.number().optional(),
  /** Gbit/s in one direction; missing if unknown. */
  gbps: z.number().optional(),
  /** Microseconds; missing for tools that measure no latency. */
  latencyUs: z
    .strictObject({
      min: microseconds,
      mean: microseconds,
      p50: microseconds,
      p90: microseconds,
      p99: microseconds,
      max: microseconds,
    })
    .optional(),
  /** By metric, each in its unit; null is unknown. */
  values: metricValues,
  warmup: z.boolean(),
  ...measurement.pick({ repeat: true, startedAt: true, elapsedSeconds: true, fingerprint: true }).shape,
})
export type HeadlessMeasurement = z.infer<typeof headlessMeasurement>

/** The measurements of one case under one arm. */
const headlessArm = z.strictObject({
  step: stepId,
  id: armId,
  label: z.string(),
  case: z.string(),
  family,
  /** The settings of the path. */
  settings: armPlan.shape.settings,
  benchmark,
  /** In the order of measurement. */
  measurements: z.array(headlessMeasurement),
  /** Data packets per request, the median of the measurements; null if no tool or counter reported them. */
  packetsPerRequest: z.number().nullable(),
  /** Every device during the measurement; empty in an experiment, which switches arms in between. */
  readings: z.array(
    reading.pick({
      device: true,
      where: true,
      gsoMaxSize: true,
      gsoIpv4MaxSize: true,
      groMaxSize: true,
      groIpv4MaxSize: true,
    }),
  ),
})
export type HeadlessArm = z.infer<typeof headlessArm>

export const labResult = z.strictObject({
  lab: z.string(),
  testbed: z.strictObject({ kind: testbedKind, kernel: z.string(), facts: testbedFacts }),
  /** In the order of steps, cases and arms. */
  arms: z.array(headlessArm),
  comparisons: z.array(caseComparison.extend({ step: stepId })),
  /** The main metric of the first comparison; null without a comparison. */
  comparison: comparedRow
    .pick({
      metric: true,
      off: true,
      on: true,
      changePercent: true,
      ratio: true,
      interval: true,
      p: true,
      adjustedP: true,
      effectSize: true,
      verdict: true,
    })
    .extend({ sentence: z.string() })
    .nullable(),
  /** The plan of each result, with the decided order, and the steps that measured it. */
  plans: z.array(z.strictObject({ steps: z.array(stepId), plan: experimentPlan })),
  /** With `--opinion`: the counted machine's opinion on each experiment. */
  opinions: z
    .array(
      z.strictObject({
        step: stepId,
        /** How the run on the counted machine ended. */
        state: runStatus,
        /** Why it did not complete; null if it did. */
        problem: problem.nullable(),
        /** The arms that it does without. */
        leftOut: z.array(leftOutArm),
        /** In the order of the experiment's comparisons; empty if it did not complete. */
        comparisons: z.array(opinion),
      }),
    )
    .optional(),
  captures: z.array(capture.extend({ step: stepId })),
  /** The exhibits of the latest probe of each step, in order. */
  exhibits: z.array(z.strictObject({ step: stepId, exhibit })),
})
export type LabResult = z.infer<typeof labResult>
