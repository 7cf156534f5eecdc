/** Presets of the Bench page. */
import { tcpRr } from '../../tools/netperf/tcp-rr.ts'
import type { Design } from '../../measure/experiment.ts'
import type { Settings } from '../../base/settings.ts'
import type { Preset } from '../feature.ts'
import { balancer } from './balancers.ts'
import { heldConnections } from './held-connections.ts'
import { BACKENDS, BALANCING, bucketCounts, BUCKETS, REPLIES } from './settings.ts'

const design: Design = { order: 'auto', repeats: 4, seconds: 1, warmups: 0, budget: null }
const common = { families: ['ipv4'], sizes: '1', design } as const
/** netperf's two connections have to reach the same backend. */
const alone: Settings = { [BALANCING]: 'maglev', [BACKENDS]: 1 }

export const presets: readonly Preset[] = [
  {
    ...common,
    name: /*i18n*/ 'Who keeps the connections?',
    tool: heldConnections.tool,
    arms: balancer.options.map((one) => ({ [BALANCING]: one })),
  },
  {
    ...common,
    name: /*i18n*/ 'How large a Maglev table?',
    tool: heldConnections.tool,
    arms: bucketCounts.map((one) => ({ [BALANCING]: 'maglev', [BUCKETS]: one })),
  },
  {
    ...common,
    name: /*i18n*/ 'Direct server return?',
    tool: tcpRr.tool,
    arms: [alone, { ...alone, [REPLIES]: 'direct' }],
    design: { ...design, repeats: 6, warmups: 1 },
  },
]
