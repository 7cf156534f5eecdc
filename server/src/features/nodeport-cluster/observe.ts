/** Compares the requested settings with Cilium's settings, the agents' reports, and the nodes' devices. */
import {
  type Acceleration,
  accelerationIn,
  ciliumXdp,
  lbModeIn,
} from '@expresslane/shared/features/nodeport-cluster/settings'
import type { Settings } from '@expresslane/shared/base/settings'
import type { Observation } from '@expresslane/shared/base/observation'
import { deviceKey, type DatapathState } from '@expresslane/shared/testbed/reading'
import type { Expected } from '../feature.ts'

function compared(label: string, expected: string, seen: string | null): Observation {
  return { label, expected, seen: seen ?? 'unknown', ok: seen === expected }
}

function wantedBy(settings: Settings | undefined): Acceleration | null {
  return settings === undefined ? null : accelerationIn(settings)
}

export function observe(state: DatapathState, expected: Expected): Observation[] {
  return [...observeAcceleration(state, expected), ...observeMode(state, expected)]
}

/** No device shows the mode: the packets that the nodes receive prove the way of the replies. */
function observeMode(state: DatapathState, { intent, nodes }: Expected): Observation[] {
  const [asked, has] = [lbModeIn(intent ?? {}), lbModeIn(nodes ?? {})]
  const layers =
    asked === null ? [] : [compared('way of the replies in cilium-config', asked, lbModeIn(state.settings))]
  if (has === null) return layers
  const agents = (state.agents ?? []).map(({ node, settings }) =>
    compared(`${node}: its agent’s way of the replies`, has, lbModeIn(settings ?? {})),
  )
  return [...layers, ...agents]
}

function observeAcceleration(state: DatapathState, { intent, nodes }: Expected): Observation[] {
  const asked = wantedBy(intent)
  const has = wantedBy(nodes)
  const layers =
    asked === null ? [] : [compared('XDP acceleration in cilium-config', asked, accelerationIn(state.settings))]
  if (has === null) return layers
  const agents = (state.agents ?? []).map(({ node, settings }) =>
    compared(`${node}: its agent’s XDP acceleration`, has, accelerationIn(settings ?? {})),
  )
  const program = has === 'native' ? 'native' : 'none'
  const devices = state.kernel
    .filter(({ native }) => native)
    .map((device) => compared(`${deviceKey(device)}: XDP program of Cilium`, program, ciliumXdp(device)))
  return [...layers, ...agents, ...devices]
}
