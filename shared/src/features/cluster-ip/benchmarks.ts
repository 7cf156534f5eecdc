/** Calls of a service: requests on one connection, and a connection for each request. */
import { i18n } from '../../base/language.ts'
import { z } from 'zod'
import { defineTool } from '../../measure/benchmark.ts'
import { familyName } from '../../base/units.ts'
import { metrics } from './proof.ts'

const both = {
  compared: ['tps', 'p50', 'p99'],
  charts: [['tps'], ['p50', 'p99']],
  columns: ['tps', 'p50', 'p90', 'p99', 'retransmits', ...metrics.map(({ id }) => id)],
  brief: ['tps', 'p50'],
  note: /*i18n*/ 'A run has a fixed number of calls for each second. Before it one call is captured at the client.',
  capability: 'cluster-ip-capture',
} as const

export const serviceRequests = defineTool({
  ...both,
  tool: 'service-requests',
  name: /*i18n*/ 'netperf TCP_RR to a service',
  does: /*i18n*/ 'requests of a byte each on one connection to a service',
  schema: z.strictObject({ tool: z.literal('service-requests') }),
  caption: /*i18n*/ 'transactions per second',
  usual: { tool: 'service-requests' },
  subject: (_of, family) => i18n.t('requests to a service over {family}', { family: familyName[family] }),
})

export const serviceConnections = defineTool({
  ...both,
  tool: 'service-connections',
  name: /*i18n*/ 'netperf TCP_CRR to a service',
  does: /*i18n*/ 'a connection to a service for each request of a byte',
  schema: z.strictObject({ tool: z.literal('service-connections') }),
  caption: /*i18n*/ 'connections per second',
  usual: { tool: 'service-connections' },
  subject: (_of, family) => i18n.t('connections to a service over {family}', { family: familyName[family] }),
  // Ports stay in use for a minute after their connections, and conntrack remembers them.
  freshPods: true,
})
