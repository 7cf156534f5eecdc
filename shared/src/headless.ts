/** The JSON that `npm run lab -- LAB --json FILE` writes. */
import { z } from 'zod'
import { arm, latency } from './measurement.ts'
import { reading } from './reading.ts'
import { testbedFacts, testbedKind } from './testbed.ts'
import { family } from './units.ts'

export const labResult = z.strictObject({
  lab: z.string(),
  testbed: z.strictObject({ kind: testbedKind, kernel: z.string(), facts: testbedFacts }),
  arms: z.array(
    z.strictObject({
      id: arm,
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
  comparison: z.strictObject({
    metric: z.literal('tps'),
    off: z.number(),
    on: z.number(),
    changePercent: z.number(),
  }),
})
export type LabResult = z.infer<typeof labResult>
