/** netperf's TCP_CRR: for each request a connection of its own. */
import { z } from 'zod'
import { defineTool } from '../../measure/benchmark.ts'
import { familyName } from '../../base/units.ts'

/**
 * Seconds that netserver goes on to wait for connections when the client's time is over, and the client for netserver's figures
 * (`PAD_TIME` in netperf's netlib.h). A run with a number of transactions instead of seconds does not wait.
 */
export const CRR_WAITS = 4

export const tcpCrr = defineTool({
  tool: 'tcp-crr',
  name: 'netperf TCP_CRR',
  does: 'connections with one request of a byte each',
  schema: z.strictObject({ tool: z.literal('tcp-crr') }),
  compared: ['tps', 'p50', 'p90', 'p99'],
  charts: [['tps'], ['p50', 'p90', 'p99']],
  beside: ['tps', 'p50', 'p99'],
  figures: ['tps', 'p50', 'p99'],
  columns: ['tps', 'min', 'p50', 'p90', 'p99', 'max', 'retransmits'],
  brief: ['tps', 'p99'],
  caption: 'connections per second',
  usual: { tool: 'tcp-crr' },
  subject: (_of, family) => `short connections over ${familyName[family]}`,
  wholeSeconds: true,
  // A client's ports stay in use for a minute after their connections.
  freshPods: true,
  firstWaits: CRR_WAITS,
})
