/** Compares the layers of a datapath for BIG TCP: the intent, the agents' reports, the kernel. */
import type { Bytes, Family } from '../../base/units.ts'
import { gsoLimit, type DatapathState } from '../../testbed/reading.ts'
import { sizeFor } from './proof.ts'
import { isOn } from './settings.ts'

export type LayerVerdict = 'agree' | 'pods-differ' | 'differ' | 'unknown'

/**
 * The size that follows from a family's intended setting; null if it can't be computed.
 *
 * @param node as for {@link sizeFor}
 */
export function intendedSize(state: DatapathState, of: Family, node: string | null = null): Bytes | null {
  return sizeFor(state.settings, of, state, node)
}

/**
 * Do the layers agree for one family? `pods-differ` is the state between switching and redeploying: the nodes have the
 * new size, and running pods have the old one. Each device is compared with the size for its node.
 */
export function compareLayers(state: DatapathState, of: Family): LayerVerdict {
  const agents = state.agents ?? []
  if (agents.some((agent) => agent.settings === null)) return 'unknown'
  if (agents.some((agent) => agent.settings !== null && isOn(agent.settings, of) !== isOn(state.settings, of)))
    return 'differ'
  if (state.unread.length > 0) return 'unknown'
  if (intendedSize(state, of) === null) return 'unknown'
  const ends = state.kernel
    .filter((device) => device.role !== 'wire')
    .map((device) => ({
      native: device.native,
      limit: gsoLimit(device, of),
      want: intendedSize(state, of, device.node),
    }))
  if (ends.some(({ limit, want }) => limit === null || want === null)) return 'unknown'
  const off = ends.filter(({ limit, want }) => limit !== want)
  if (off.length === 0) return 'agree'
  return off.some(({ native }) => native) ? 'differ' : 'pods-differ'
}
