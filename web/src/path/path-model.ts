/** What the live path panel shows, worked out of readings. Pure. */
import {
  compareLayers,
  deviceKey,
  groLimit,
  gsoLimit,
  intendedSize,
  LEGACY_MAX_SIZE,
  type DatapathState,
  type PlaceRole,
  type Reading,
} from '@expresslane/shared/reading'
import { familyName, formatCount, formatSize, type Bytes, type Family } from '@expresslane/shared/units'
import type { FollowedPath } from './follow.ts'

/** `null` is unknown: the tool did not print it. */
export interface SizeView {
  readonly text: string
  /** For people who need the number itself. */
  readonly exact: string
  readonly bytes: Bytes | null
}

export interface DeviceView {
  readonly key: string
  readonly device: string
  readonly gso: SizeView
  readonly gro: SizeView
  /** `changed`: the size that the latest change replaced; `new` where the device was not there before it. */
  readonly was: { readonly gso: string } | null
}

export interface PlaceView {
  readonly where: string
  readonly role: PlaceRole
  readonly devices: readonly DeviceView[]
}

export interface LayersView {
  readonly tone: 'good' | 'warn' | 'bad' | 'unknown'
  readonly title: string
  readonly text: string
}

export function sizeView(size: Bytes | null): SizeView {
  if (size === null) return { text: 'unknown', exact: 'unknown', bytes: null }
  return { text: formatSize(size), exact: `${formatCount(size)} bytes`, bytes: size }
}

/** Beyond what the stack built before BIG TCP. */
export function isBig(size: Bytes | null): boolean {
  return size !== null && size > LEGACY_MAX_SIZE
}

function deviceView(now: Reading, before: DatapathState | null, of: Family): DeviceView {
  const earlier = before?.kernel.find((one) => deviceKey(one) === deviceKey(now))
  const gso = gsoLimit(now, of)
  const wasGso = earlier === undefined ? gso : gsoLimit(earlier, of)
  return {
    key: deviceKey(now),
    device: now.device,
    gso: sizeView(gso),
    gro: sizeView(groLimit(now, of)),
    was: wasGso === gso ? null : { gso: sizeView(wasGso).text },
  }
}

/** The devices in the order of the path, those of one place together. */
export function placesOf(path: FollowedPath, of: Family): PlaceView[] {
  const places: (PlaceView & { devices: DeviceView[] })[] = []
  for (const reading of path.datapath?.kernel ?? []) {
    const view = deviceView(reading, path.before, of)
    const last = places.at(-1)
    if (last?.where === reading.where) last.devices.push(view)
    else places.push({ where: reading.where, role: reading.role, devices: [view] })
  }
  return places
}

function onOff(on: boolean): string {
  return on ? 'on' : 'off'
}

/** Do intent, agents and kernel say the same? In words. */
export function layersView(state: DatapathState, of: Family): LayersView {
  const want = sizeView(intendedSize(state, of)).text
  const intent = `BIG TCP over ${familyName[of]} is meant to be ${onOff(state.intended[of])} (${want})`
  const layers = state.agents === null ? 'intended = kernel' : 'intended = agents = kernel'
  const verdict = compareLayers(state, of)
  switch (verdict) {
    case 'agree':
      return { tone: 'good', title: layers, text: `${intent}, and every device says so.` }
    case 'pods-differ':
      return {
        tone: 'warn',
        title: 'Pods differ',
        text: `${intent}. The nodes follow, but the pods were made before the change and keep their sizes: redeploy them.`,
      }
    case 'differ':
      return {
        tone: 'bad',
        title: 'Intended ≠ kernel',
        text: `${intent}, but not every device of the nodes says so: switch it once more, or press Reset.`,
      }
    case 'unknown':
      return { tone: 'unknown', title: 'Not known', text: `${intent}. Some device or agent did not tell its size.` }
  }
}
