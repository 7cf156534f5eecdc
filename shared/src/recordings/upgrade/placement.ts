/**
 * Upgrades placements: versions 1 and 2 had a field for the client's pod and one for the server's; version 3 has a list
 * of pods with roles.
 */
import { changed, isObject, type Raw } from './raw.ts'

/** The placement's `{client, server}` as `pods`. */
function upgradePlacement(raw: unknown): unknown {
  if (!isObject(raw) || 'pods' in raw) return raw
  const { client, server, ...rest } = raw
  return { ...rest, pods: [client, server] }
}

/** The nodes of a fingerprint's placement, by role. */
function upgradeNodes(raw: unknown): unknown {
  if (!isObject(raw) || 'nodes' in raw) return raw
  const { client, server, ...rest } = raw
  return { ...rest, nodes: { client, server } }
}

/** Upgrades the placements of an event of version 1 or 2. Other events are returned unchanged. */
export function upgradePlacements(event: Raw): Raw {
  switch (event['type']) {
    case 'placement.made':
      return { ...event, placement: upgradePlacement(event['placement']) }
    case 'datapath.read':
      return { ...event, datapath: changed(event['datapath'], 'placement', upgradePlacement) }
    case 'measurement.taken': {
      const upgraded = changed(event['measurement'], 'fingerprint', (one) => changed(one, 'placement', upgradeNodes))
      return { ...event, measurement: upgraded }
    }
    default:
      return event
  }
}
