/** The places of the live path from client to server, and the nodes off the path. Pure. */
import { i18n } from '@expresslane/shared/base/language'
import type { DatapathState, PlaceRole, Reading } from '@expresslane/shared/testbed/reading'
import type { Placement } from '@expresslane/shared/testbed/placement'
import type { Family } from '@expresslane/shared/base/units'
import type { FollowedPath } from '../../../api/follow.ts'
import { listed } from '../../../words/format.ts'
import { deviceView, type DeviceView } from './path-model.ts'

export interface PlaceView {
  readonly where: string
  readonly role: PlaceRole
  readonly devices: readonly DeviceView[]
  /** A remark about the place; null for none. */
  readonly note: string | null
  /** Why it could not be read; null if it could. */
  readonly unread: string | null
}

export interface PlacesView {
  /** From client to server. */
  readonly path: readonly PlaceView[]
  /** The nodes off the path. */
  readonly others: readonly PlaceView[]
}

const wire = (): string => i18n.t('network between the nodes')

function nodeOf(reading: Reading): string | null {
  return reading.node ?? (reading.role === 'node' ? reading.where : null)
}

function onOneNode({ pods }: Placement): boolean {
  return new Set(pods.map(({ node }) => node)).size === 1
}

/** Without pods a cluster has no path; netns always has a path. */
function isOnPath(reading: Reading, { placement, agents }: DatapathState): boolean {
  const node = nodeOf(reading)
  if (node === null) return true
  if (placement === null) return agents === null
  // Pods on the same node do not use its native device.
  if (onOneNode(placement) && reading.native) return false
  return placement.pods.some((pod) => pod.node === node)
}

function noteOf({ where, role }: Reading, placement: Placement | null): string | null {
  if (placement === null || role !== 'node') return null
  const here = placement.pods.filter(({ node }) => node === where).map(({ name }) => name)
  if (placement.variant === 'host-network' && here.length > 0) {
    return here.length > 1
      ? i18n.t('{pods} run here on the host network, without their own devices.', { pods: listed(here) })
      : i18n.t('{pod} runs here on the host network, without its own device.', { pod: listed(here) })
  }
  if (here.length < 2) return null
  return here.length === 2
    ? i18n.t('Both pods are on this node: their requests never leave it.')
    : i18n.t('All pods are on this node: their requests never leave it.')
}

function grouped(readings: readonly Reading[], path: FollowedPath, state: DatapathState, of: Family): PlaceView[] {
  const places: (PlaceView & { devices: DeviceView[] })[] = []
  for (const reading of readings) {
    const view = deviceView(reading, state, path.before, of)
    const last = places.at(-1)
    if (last?.where === reading.where) last.devices.push(view)
    else {
      const note = noteOf(reading, state.placement)
      places.push({ where: reading.where, role: reading.role, devices: [view], note, unread: null })
    }
  }
  return places
}

/** The names on the way from the first pod to the last. */
function wayOf({ pods }: Placement): string[] {
  const way = pods.flatMap(({ name, node }, index) => (index === 0 ? [name, node] : [wire(), node, name]))
  return [...new Set(way)]
}

function inserted(places: readonly PlaceView[], way: readonly string[], place: PlaceView): PlaceView[] {
  const rank = way.indexOf(place.where)
  const later = places.findIndex(({ where }) => way.indexOf(where) > rank)
  return later < 0 ? [...places, place] : places.toSpliced(later, 0, place)
}

function both(reason: string | null, other: string): string {
  return reason === null ? other : `${reason}; ${other}`
}

function withUnread(
  places: readonly PlaceView[],
  way: readonly string[],
  { where, reason }: DatapathState['unread'][number],
  role: PlaceRole,
): PlaceView[] {
  if (places.some((place) => place.where === where)) {
    return places.map((place) => (place.where === where ? { ...place, unread: both(place.unread, reason) } : place))
  }
  return inserted(places, way, { where, role, devices: [], note: null, unread: reason })
}

/** Adds the network between the nodes of a cluster, whose devices are unknown. */
function withWire(places: readonly PlaceView[], way: readonly string[], placement: Placement): PlaceView[] {
  if (onOneNode(placement) || places.some(({ role }) => role === 'wire')) return [...places]
  const note = i18n.t('Its devices can’t be read from here.')
  return inserted(places, way, { where: wire(), role: 'wire', devices: [], note, unread: null })
}

/** The devices in path order, grouped by place, and the nodes off the path. */
export function placesOf(path: FollowedPath, of: Family): PlacesView {
  const state = path.datapath
  if (state === null) return { path: [], others: [] }
  const { placement } = state
  const way = placement === null ? [] : wayOf(placement)
  let on = grouped(
    state.kernel.filter((reading) => isOnPath(reading, state)),
    path,
    state,
    of,
  )
  let others = grouped(
    state.kernel.filter((reading) => !isOnPath(reading, state)),
    path,
    state,
    of,
  )
  for (const unread of state.unread) {
    const { where } = unread
    const role = placement?.pods.some(({ name }) => name === where) === true ? 'pod' : 'node'
    if (way.includes(where)) on = withUnread(on, way, unread, role)
    else others = withUnread(others, [], unread, role)
  }
  if (placement !== null && state.agents !== null) on = withWire(on, way, placement)
  return { path: on, others }
}
