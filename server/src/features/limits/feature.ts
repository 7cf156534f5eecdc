import { phrase } from '@expresslane/shared/features/limits/settings'
import type { ServerFeature } from '../feature.ts'
import { runAfterPause } from './after-pause.ts'
import { clusterChecks } from './cluster-checks.ts'
import { podSettings } from './pod-settings.ts'
import { runStreamAndPings } from './stream-and-pings.ts'
import { limited } from './topology.ts'
import { watchLimits } from './watch.ts'

export const limits = {
  id: 'limits',
  // The feature's pod settings are set, read and compared for every feature alike.
  observe: () => [],
  observeCapture: null,
  topology: limited,
  clusterChecks,
  podSettings: [podSettings],
  runners: {
    'stream-and-pings': runStreamAndPings,
    'pings-beside-stream': runStreamAndPings,
    'after-pause': runAfterPause,
  },
  watch: watchLimits,
  sentences: {
    verified: ({ settings }) => `The pods run ${phrase(settings)}.`,
    notVerified: ({ settings }) => `The pods do not run ${phrase(settings)}`,
    switched: ({ settings }) => `The next pods run ${phrase(settings)}. Pods that exist keep what they have.`,
    carried: (_families, { carried }) => `The pods run ${phrase(carried)}.`,
  },
} as const satisfies ServerFeature
