/** How a NodePort is measured from outside of a cluster: new connections over TCP, and an echo over UDP. */
import { i18n } from '../../base/language.ts'
import { z } from 'zod'
import { defineTool } from '../../measure/benchmark.ts'
import { CRR_WAITS } from '../../tools/netperf/tcp-crr.ts'
import { familyName } from '../../base/units.ts'

const common = {
  live: 'tps',
  wholeSeconds: true,
  capability: 'outside-client',
} as const

export const nodeportConnect = defineTool({
  ...common,
  tool: 'nodeport-connect',
  firstWaits: CRR_WAITS,
  name: 'netperf TCP_CRR',
  does: /*i18n*/ 'connections with one request each, through a NodePort',
  schema: z.strictObject({ tool: z.literal('nodeport-connect') }),
  compared: ['p50', 'tps', 'nodesCpuPerTransaction'],
  columns: ['p50', 'p90', 'p99', 'tps', 'nodesCpuPerTransaction', 'tcPackets', 'entryPackets'],
  brief: ['p50', 'tps'],
  caption: /*i18n*/ 'connections per second',
  note: /*i18n*/ 'The median is compared, not the rate: if the first packet of a connection is lost, the connection waits for a second, the time of thousands of others.',
  usual: { tool: 'nodeport-connect' },
  subject: (_of, family) => i18n.t('connections through a NodePort over {name}', { name: familyName[family] }),
})

export const nodeportEcho = defineTool({
  ...common,
  tool: 'nodeport-echo',
  name: 'netperf UDP_RR',
  does: /*i18n*/ 'an echo over UDP, through a NodePort',
  schema: z.strictObject({ tool: z.literal('nodeport-echo') }),
  compared: ['tps', 'p50', 'nodesCpuPerTransaction'],
  columns: ['tps', 'p50', 'p90', 'p99', 'nodesCpuPerTransaction', 'tcPackets', 'entryPackets'],
  brief: ['tps', 'p50'],
  caption: /*i18n*/ 'echoes per second',
  usual: { tool: 'nodeport-echo' },
  subject: (_of, family) => i18n.t('UDP echoes through a NodePort over {name}', { name: familyName[family] }),
})
