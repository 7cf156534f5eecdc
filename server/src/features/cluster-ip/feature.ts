import { phrase } from '@expresslane/shared/features/cluster-ip/settings'
import type { ServerFeature } from '../feature.ts'
import { call } from './call-probe.ts'
import { runCalls } from './calls.ts'
import { podSettings } from './pod-settings.ts'
import { serviceTopology } from './topology.ts'

export const clusterIp = {
  id: 'cluster-ip',
  // The feature's pod settings are set, read and compared for every feature alike.
  observe: () => [],
  observeCapture: null,
  topology: serviceTopology,
  podSettings: [podSettings],
  runners: { 'service-requests': runCalls('TCP_RR'), 'service-connections': runCalls('TCP_CRR') },
  probes: { call },
  sentences: {
    verified: ({ settings }) => `The service is reached ${phrase(settings)}.`,
    notVerified: ({ settings }) => `The service is not reached ${phrase(settings)}`,
    switched: ({ settings }) => `The next pods reach the service ${phrase(settings)}. Pods that exist keep theirs.`,
    carried: (_families, { carried }) => `The service is reached ${phrase(carried)}.`,
  },
} as const satisfies ServerFeature
