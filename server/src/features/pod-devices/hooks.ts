/** The hook readings between pods and wire, for the path panel and the checks. Pure. */
import { FORWARDING, PINGS, PROGRAMS, TRACKER } from '@expresslane/shared/features/pod-devices/roles'
import { WIRE } from '@expresslane/shared/features/pod-devices/places'
import { CLIENT, podOf } from '@expresslane/shared/testbed/placement'
import type { HookReading } from '@expresslane/shared/testbed/reading'
import type { Pods } from '../feature.ts'
import type { Answered } from './pings.ts'
import type { NodeRead } from './reading.ts'

/** In the order in which a packet from the pod passes them. */
function ofNode({ half, route, forwarding, forwarded, known, device }: NodeRead): HookReading[] {
  const where = half.node
  const counts = route === null ? {} : { toNode: route.outRedirected, toPod: route.inRedirected }
  return [
    {
      where,
      hook: PROGRAMS,
      present: route !== null,
      devices: route === null || device === null ? [] : [device.name, WIRE],
      counts,
    },
    { where, hook: TRACKER, present: known !== null, devices: [], counts: known === null ? {} : { known } },
    {
      where,
      hook: FORWARDING,
      present: forwarding.ipv4 && forwarding.ipv6,
      devices: [],
      counts: { packets: forwarded.ipv4 + forwarded.ipv6 },
    },
  ]
}

export function hooksOf(
  nodes: readonly NodeRead[],
  { ipv4, ipv6 }: Answered,
  { placement }: Pick<Pods, 'placement'>,
): HookReading[] {
  const where = podOf(placement, CLIENT)?.name ?? CLIENT
  const counts = { ipv4: Number(ipv4), ipv6: Number(ipv6) }
  return [{ where, hook: PINGS, present: ipv4 && ipv6, devices: [], counts }, ...nodes.flatMap(ofNode)]
}
