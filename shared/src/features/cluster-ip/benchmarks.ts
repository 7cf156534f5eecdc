/** Calls of a service: requests on one connection, and a connection for each request. */
import { z } from 'zod'
import { defineTool } from '../../measure/benchmark.ts'
import { familyName } from '../../base/units.ts'
import { metrics } from './proof.ts'

const both = {
  compared: ['tps', 'p50', 'p99'],
  charts: [['tps'], ['p50', 'p99']],
  columns: ['tps', 'p50', 'p90', 'p99', 'retransmits', ...metrics.map(({ id }) => id)],
  brief: ['tps', 'p50'],
  note: 'A run has a fixed number of calls for each second. Before it one call is captured at the client.',
  capability: 'cluster-ip-capture',
} as const

export const serviceRequests = defineTool({
  ...both,
  tool: 'service-requests',
  name: 'netperf TCP_RR to a service',
  does: 'requests of a byte each on one connection to a service',
  schema: z.strictObject({ tool: z.literal('service-requests') }),
  caption: 'transactions per second',
  usual: { tool: 'service-requests' },
  subject: (_of, family) => `requests to a service over ${familyName[family]}`,
})

export const serviceConnections = defineTool({
  ...both,
  tool: 'service-connections',
  name: 'netperf TCP_CRR to a service',
  does: 'a connection to a service for each request of a byte',
  schema: z.strictObject({ tool: z.literal('service-connections') }),
  caption: 'connections per second',
  usual: { tool: 'service-connections' },
  subject: (_of, family) => `connections to a service over ${familyName[family]}`,
  // Ports stay in use for a minute after their connections, and conntrack remembers them.
  freshPods: true,
})
