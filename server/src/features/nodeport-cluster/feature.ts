import { accelerationIn, lbModeIn } from '@expresslane/shared/features/nodeport-cluster/settings'
import type { Settings } from '@expresslane/shared/base/settings'
import type { ServerFeature } from '../feature.ts'
import { observe } from './observe.ts'
import { runNodeportTransactions } from './transactions.ts'
import { ciliumKeys } from './cilium-keys.ts'
import { clusterChecks } from './cluster-checks.ts'

function where(settings: Settings): string {
  const at = accelerationIn(settings) === 'native' ? 'with XDP' : 'at TC'
  return lbModeIn(settings) === 'dsr' ? `${at} and DSR` : at
}

export const nodeportCluster = {
  id: 'nodeport-cluster',
  observe,
  observeCapture: null,
  ciliumKeys,
  clusterChecks,
  podSettings: [],
  runners: {
    'nodeport-connect': runNodeportTransactions('TCP_CRR'),
    'nodeport-echo': runNodeportTransactions('UDP_RR'),
  },
  sentences: {
    verified: ({ settings }) => `Every node handles NodePorts ${where(settings)}.`,
    notVerified: ({ settings }) => `Not every node handles NodePorts ${where(settings)}`,
    switched: ({ settings }) =>
      `The agents report it, and the devices show it: every node handles NodePorts ${where(settings)}.`,
    carried: (_families, { settings }) => `Every node handles NodePorts ${where(settings)}.`,
  },
} as const satisfies ServerFeature
