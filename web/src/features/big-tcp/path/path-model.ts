/** A device of the live path panel, derived from readings. Pure. */
import { i18n } from '@expresslane/shared/base/language'
import { intendedSize } from '@expresslane/shared/features/big-tcp/layers'
import {
  deviceKey,
  groLimit,
  gsoLimit,
  LEGACY_MAX_SIZE,
  type DatapathState,
  type Reading,
} from '@expresslane/shared/testbed/reading'
import { formatCount, formatSize, type Bytes, type Family } from '@expresslane/shared/base/units'

/** `bytes` is null if unknown: the tool did not print it. */
export interface SizeView {
  readonly text: string
  /** The exact number. */
  readonly exact: string
  readonly bytes: Bytes | null
}

export interface DeviceView {
  readonly key: string
  readonly device: string
  readonly gso: SizeView
  readonly gro: SizeView
  /** The size before the latest change; null if it did not change. */
  readonly was: { readonly gso: string } | null
  /** Between the nodes: it carries the packets of all arms. */
  readonly transit: boolean
  /** `differs`: a device of a node with another size than intended; `kept`: a device of a pod that was created before the change. */
  readonly drift: 'differs' | 'kept' | null
}

export function sizeView(size: Bytes | null): SizeView {
  if (size === null) return { text: i18n.t('unknown'), exact: i18n.t('unknown'), bytes: null }
  return { text: formatSize(size), exact: i18n.t('{size} bytes', { size: formatCount(size) }), bytes: size }
}

/** Larger than the largest packet without BIG TCP. */
export function isBig(size: Bytes | null): boolean {
  return size !== null && size > LEGACY_MAX_SIZE
}

function driftOf(now: Reading, state: DatapathState, of: Family): DeviceView['drift'] {
  const [limit, want] = [gsoLimit(now, of), intendedSize(state, of, now.node)]
  if (now.role === 'wire' || limit === null || want === null || limit === want) return null
  return now.native ? 'differs' : 'kept'
}

/** @param before the path before its latest change; null if there was none */
export function deviceView(now: Reading, state: DatapathState, before: DatapathState | null, of: Family): DeviceView {
  const earlier = before?.kernel.find((one) => deviceKey(one) === deviceKey(now))
  const gso = gsoLimit(now, of)
  const wasGso = earlier === undefined ? gso : gsoLimit(earlier, of)
  return {
    key: deviceKey(now),
    device: now.device,
    gso: sizeView(gso),
    gro: sizeView(groLimit(now, of)),
    was: wasGso === gso ? null : { gso: sizeView(wasGso).text },
    transit: now.role === 'wire',
    drift: driftOf(now, state, of),
  }
}
