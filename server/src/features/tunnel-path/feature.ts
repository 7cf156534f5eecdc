import { TUNNEL } from '@expresslane/shared/features/tunnel-path/places'
import { tunnelMost } from '@expresslane/shared/features/tunnel-path/proof'
import { isEncrypted, phrase, sizeIn, tunnelIn } from '@expresslane/shared/features/tunnel-path/settings'
import { formatCount } from '@expresslane/shared/base/units'
import type { Observation } from '@expresslane/shared/base/observation'
import { LEGACY_MAX_SIZE, type DatapathState } from '@expresslane/shared/testbed/reading'
import type { Expected, ServerFeature } from '../feature.ts'
import { message } from './message.ts'
import { podSettings, watchTunnel } from './pod-settings.ts'
import { pathWithTunnel } from './topology.ts'

/** Each end of the tunnel has the arm's size, or the kernel's largest if that is less. */
function observe({ kernel }: DatapathState, { pods }: Expected): Observation[] {
  if (pods === undefined || tunnelIn(pods) === 'none') return []
  const ends = kernel.filter(({ device }) => device === TUNNEL)
  if (ends.length === 0) return [{ label: 'tunnel', expected: 'on both nodes', seen: 'none', ok: false }]
  return ends.map(({ where, tsoMaxSize, gsoMaxSize }) => {
    const want = tsoMaxSize === null ? null : Math.min(Math.max(sizeIn(pods), LEGACY_MAX_SIZE), tsoMaxSize)
    const shown = (value: number | null): string => (value === null ? 'unknown' : formatCount(value))
    return {
      label: `${where} ${TUNNEL}`,
      expected: `GSO ${shown(want)}`,
      seen: `GSO ${shown(gsoMaxSize)}, tso_max_size ${shown(tsoMaxSize)}`,
      ok: want !== null && gsoMaxSize === want,
    }
  })
}

/** A sentence about the largest packet of the tunnel; empty without a tunnel. */
function meaning(state: DatapathState): string {
  const most = tunnelMost(state)
  if (most === null) return ''
  if (isEncrypted(tunnelIn(state.carried))) return ' Packets beyond the MTU are cut before they are encrypted.'
  return most > LEGACY_MAX_SIZE
    ? ` The tunnel takes packets of up to ${formatCount(most)} bytes.`
    : ' The tunnel takes packets of up to 64 KiB: larger packets are cut to the MTU before it.'
}

export const tunnels = {
  id: 'tunnel-path',
  observe,
  observeCapture: null,
  topology: pathWithTunnel,
  podSettings: [podSettings],
  watch: watchTunnel,
  probes: { message },
  sentences: {
    verified: ({ settings }) => `The path is set up ${phrase(settings)}.`,
    notVerified: ({ settings }) => `The path is not set up ${phrase(settings)}`,
    switched: ({ settings }) => `The next pods are deployed ${phrase(settings)}. Pods that exist keep what they have.`,
    carried: (_families, state) => `The pods run ${phrase(state.carried)}.${meaning(state)}`,
  },
} as const satisfies ServerFeature
