import { answers, devicePhrase } from '@expresslane/shared/features/pod-devices/devices'
import { deviceIn, isBigTcp, isForwarding } from '@expresslane/shared/features/pod-devices/settings'
import type { Settings } from '@expresslane/shared/base/settings'
import type { ServerFeature } from '../feature.ts'
import { podSettings } from './pod-settings.ts'
import { observe } from './observe.ts'
import { watchNodes } from './watch.ts'
import { devices } from './topology.ts'

/** `with veth, and the nodes' IP forwarding is off`. */
function words(settings: Settings): string {
  const device = `${devicePhrase[deviceIn(settings)]}${isBigTcp(settings) ? ', with BIG TCP' : ''}`
  return isForwarding(settings) ? device : `${device}, and the nodes’ IP forwarding is off`
}

export const podDevices = {
  id: 'pod-devices',
  observe,
  observeCapture: null,
  topology: devices,
  podSettings: [podSettings],
  watch: watchNodes,
  sentences: {
    verified: ({ settings }) => `The pods run ${words(settings)}.`,
    notVerified: ({ settings }) => `The pods do not run ${words(settings)}`,
    switched: ({ settings }) => `The next pods run ${words(settings)}. Pods that exist keep what they have.`,
    carried: (_families, { carried }) => {
      const reached = answers(deviceIn(carried), isForwarding(carried)) ? 'reach' : 'do not reach'
      return `The pods run ${words(carried)}. They ${reached} each other.`
    },
  },
} as const satisfies ServerFeature
