/** netperf's TCP_STREAM: one TCP stream from client to server. */
import { z } from 'zod'
import { defineTool } from '../../measure/benchmark.ts'
import { stream, streamParameters } from '../stream.ts'

export const tcpStreamBenchmark = z.strictObject({ tool: z.literal('tcp-stream'), ...streamParameters })

/** Its intervals have neither retransmits nor the window, which netperf does not report. */
export const tcpStream = defineTool({
  ...stream,
  tool: 'tcp-stream',
  name: 'netperf TCP_STREAM',
  schema: tcpStreamBenchmark,
  usual: { tool: 'tcp-stream', omitSeconds: 0, intervalSeconds: 1 },
})
