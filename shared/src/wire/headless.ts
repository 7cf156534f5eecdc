/** The JSON that `npm run lab -- LAB --json FILE` writes: of the two BIG TCP labs, and of those with experiments. */
import { z } from 'zod'
import { capture } from '../measure/capture.ts'
import { caseComparison, comparedRow } from '../compare/compare.ts'
import { experimentPlan } from '../measure/experiment.ts'
import { armId, latency, measurement } from '../measure/measurement.ts'
import { reading } from '../testbed/reading.ts'
import { testbedFacts, testbedKind } from '../testbed/testbed.ts'
import { family } from '../measure/units.ts'

const where = z.strictObject({ kind: testbedKind, kernel: z.string(), facts: testbedFacts })

export const labResult = z.strictObject({
  lab: z.string(),
  testbed: where,
  arms: z.array(
    z.strictObject({
      id: armId,
      family,
      measurements: z.array(
        z.strictObject({
          tps: z.number(),
          gbps: z.number(),
          /** Microseconds. */
          latencyUs: latency.omit({ stddev: true }),
        }),
      ),
      /** Data packets a request took, median over the repeats; null where the counters could not be read. */
      packetsPerRequest: z.number().nullable(),
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
    }),
  ),
  /** Of TPS, with the verdict that the statistics support. */
  comparison: comparedRow
    .pick({
      off: true,
      on: true,
      changePercent: true,
      ratio: true,
      interval: true,
      p: true,
      effectSize: true,
      verdict: true,
    })
    .extend({ metric: z.literal('tps'), sentence: z.string() }),
})
export type LabResult = z.infer<typeof labResult>

export const experimentsResult = z.strictObject({
  lab: z.string(),
  testbed: where,
  /** In the order of the lab's steps. */
  experiments: z.array(
    z.strictObject({
      step: z.string(),
      /** As it was followed, its order decided. */
      plan: experimentPlan,
      /** In the order taken, those thrown away included. */
      measurements: z.array(measurement),
      comparisons: z.array(caseComparison),
    }),
  ),
  captures: z.array(capture.extend({ step: z.string() })),
})
export type ExperimentsResult = z.infer<typeof experimentsResult>
