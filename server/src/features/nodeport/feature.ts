import { hookName } from '@expresslane/shared/features/nodeport/hooks'
import { hookIn } from '@expresslane/shared/features/nodeport/settings'
import type { Settings } from '@expresslane/shared/base/settings'
import type { ServerFeature } from '../feature.ts'
import { podSettings } from './pod-settings.ts'
import { runForwardMax } from './forward-max.ts'
import { runForwardPaced } from './forward-paced.ts'
import { runNewFlows } from './new-flows.ts'
import { forwarder } from './topology.ts'

/** `forward with XDP`. */
function forward(settings: Settings): string {
  return `forward with ${hookName[hookIn(settings)]}`
}

/** `forwards with XDP`, `does not forward`. */
function doing(settings: Settings): string {
  const by = hookIn(settings)
  return by === 'none' ? 'does not forward' : `forwards with ${hookName[by]}`
}

export const nodeport = {
  id: 'nodeport',
  // The feature's pod settings are set, read and compared for every feature alike.
  observe: () => [],
  observeCapture: null,
  topology: forwarder,
  podSettings: [podSettings],
  runners: { 'new-flows': runNewFlows, 'forward-max': runForwardMax, 'forward-paced': runForwardPaced },
  sentences: {
    verified: ({ settings }) => `The node ${doing(settings)}.`,
    notVerified: ({ settings }) =>
      hookIn(settings) === 'none' ? 'The node forwards' : `The node does not ${forward(settings)}`,
    switched: ({ settings }) =>
      hookIn(settings) === 'none'
        ? 'The next node does not forward. Pods that exist keep what they have.'
        : `The next pods ${forward(settings)}. Pods that exist keep theirs.`,
    carried: (_families, { carried }) => {
      const only = hookIn(carried) === 'none' ? '' : ', and with nothing else'
      return `The node ${doing(carried)}${only}.`
    },
  },
} as const satisfies ServerFeature
