/** netperf's TCP_RR: one request and one response at a time. */
import { z } from 'zod'
import { defineTool } from '../../measure/benchmark.ts'
import { bytes, familyName, formatCount } from '../../base/units.ts'

export const tcpRrBenchmark = z.strictObject({
  tool: z.literal('tcp-rr'),
  requestBytes: bytes.min(1).max(1_048_576),
  responseBytes: bytes.min(1).max(1_048_576),
})
export type TcpRrBenchmark = z.infer<typeof tcpRrBenchmark>

export const tcpRr = defineTool({
  tool: 'tcp-rr',
  name: 'netperf TCP_RR',
  does: 'requests and responses',
  schema: tcpRrBenchmark,
  parameters: [
    { key: 'requestBytes', column: 'request_bytes' },
    { key: 'responseBytes', column: 'response_bytes' },
  ],
  compared: ['tps', 'throughput', 'min', 'mean', 'p50', 'p90', 'p99', 'packetsPerRequest'],
  charts: [['tps'], ['p50', 'p90', 'p99']],
  beside: ['tps', 'p50', 'p99', 'packetsPerRequest'],
  figures: ['tps', 'throughput', 'p99', 'packetsPerRequest'],
  columns: ['tps', 'min', 'p50', 'p90', 'p99', 'max', 'packetsPerRequest', 'retransmits'],
  brief: ['tps', 'p99', 'packetsPerRequest'],
  caption: 'transactions per second',
  describe: (of) => {
    const { data } = tcpRrBenchmark.safeParse(of)
    if (data === undefined) return null
    return {
      label: 'Request / response',
      value: `${formatCount(data.requestBytes)} / ${formatCount(data.responseBytes)} bytes`,
    }
  },
  usual: { tool: 'tcp-rr', requestBytes: 80_000, responseBytes: 80_000 },
  subject: (of, family) => {
    const { data } = tcpRrBenchmark.safeParse(of)
    const size = data === undefined ? 'requests' : `${formatCount(data.requestBytes)}-byte requests`
    return `${size} over ${familyName[family]}`
  },
})
