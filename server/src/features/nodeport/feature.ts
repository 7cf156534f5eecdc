import { hookName } from '@expresslane/shared/features/nodeport/hooks'
import { hookIn } from '@expresslane/shared/features/nodeport/settings'
import type { ServerFeature } from '../feature.ts'
import { driver } from './driver.ts'
import { runForwardMax } from './forward-max.ts'
import { runNewFlows } from './new-flows.ts'

export const nodeport = {
  id: 'nodeport',
  // Its settings are set and read by the driver, and compared for every feature alike.
  observe: () => [],
  observeCapture: null,
  drivers: [driver],
  runners: { 'new-flows': runNewFlows, 'forward-max': runForwardMax },
  sentences: {
    verified: ({ settings }) => `The node forwards with ${hookName[hookIn(settings)]}.`,
    notVerified: ({ settings }) => `The node does not forward with ${hookName[hookIn(settings)]}`,
    switched: ({ settings }) =>
      `The next pods forward with ${hookName[hookIn(settings)]}. Pods that exist keep theirs.`,
    carried: (_families, { carried }) => `The node forwards with ${hookName[hookIn(carried)]}, and with nothing else.`,
  },
} as const satisfies ServerFeature
