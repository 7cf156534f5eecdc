/** iperf3: one TCP stream. */
import { z } from 'zod'
import { defineTool } from '../../measure/benchmark.ts'
import { stream, streamParameters } from '../stream.ts'

export const iperf3Benchmark = z.strictObject({ tool: z.literal('iperf3'), ...streamParameters })

export const iperf3 = defineTool({
  ...stream,
  tool: 'iperf3',
  name: 'iperf3',
  schema: iperf3Benchmark,
  usual: { tool: 'iperf3', omitSeconds: 1, intervalSeconds: 1 },
  capability: 'iperf3',
})
