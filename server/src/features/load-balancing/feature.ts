import { balancingIn, phrase } from '@expresslane/shared/features/load-balancing/settings'
import type { ServerFeature } from '../feature.ts'
import { runHeldConnections } from './held-connections.ts'
import { podSettings } from './pod-settings.ts'
import { reply } from './reply.ts'
import { tableSizes } from './table-sizes.ts'
import { balancerTopology } from './topology.ts'
import { watchBalancer } from './watch.ts'

export const loadBalancing = {
  id: 'load-balancing',
  // The feature's pod settings are set, read and compared for every feature alike.
  observe: () => [],
  observeCapture: null,
  topology: balancerTopology,
  podSettings: [podSettings],
  runners: { 'held-connections': runHeldConnections },
  watch: watchBalancer,
  probes: { reply, 'table-sizes': tableSizes },
  sentences: {
    verified: ({ settings }) => `The balancer works ${phrase(settings)}.`,
    notVerified: ({ settings }) => `The balancer does not work ${phrase(settings)}`,
    switched: ({ settings }) => `The next balancer works ${phrase(settings)}. One that exists keeps its table.`,
    carried: (_families, { carried }) => {
      const { backends } = balancingIn(carried)
      return `The balancer works ${phrase(carried)}, and has ${backends} ${backends === 1 ? 'backend' : 'backends'}.`
    },
  },
} as const satisfies ServerFeature
