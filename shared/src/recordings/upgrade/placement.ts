/** Versions 1 and 2 had one field for the client's pod and one for the server's; version 3 has a list of pods by role. */
import { changed, isObject, type Raw } from './raw.ts'

/** `{client, server}` of a placement as `pods`. */
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

/** An event of version 1 or 2 with its placements as version 3 has them; others as they are. */
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
