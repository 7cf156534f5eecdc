/** The requested settings, checked against what the testbed's devices accept. BIG TCP's settings are kernel attributes of devices. */
import { LabError } from '@expresslane/shared/wire/errors'
import { limitOf, mtuOf } from '@expresslane/shared/features/big-tcp/settings'
import { findSetting } from '@expresslane/shared/features/settings'
import type { Settings } from '@expresslane/shared/measure/settings'
import { LEGACY_MAX_SIZE, type Reading } from '@expresslane/shared/testbed/reading'
import { formatCount, type Bytes } from '@expresslane/shared/measure/units'
import { refuseForeign } from '../../foreign.ts'
import { sizesUnknown } from './taken.ts'
import { MOST_POD_MTU, type Topology } from '../topologies/topology.ts'

/** All settings of a topology, as last requested. */
export type Intent = Settings

/** The settings that a new path has. */
export function untouched({ settings }: Pick<Topology, 'settings'>): Intent {
  return Object.fromEntries(settings.map((id) => [id, findSetting(id)?.off ?? null] as const))
}

/** With a smaller MTU a device has no IPv6 (IPV6_MIN_MTU). */
const LEAST_MTU = 1280

function outOfRange(what: string, least: number, most: number, asked: number, device: string): LabError {
  return new LabError(
    'bad_request',
    `${what} of ${formatCount(asked)} bytes can't be set here: ${device} accepts ${formatCount(least)} to ${formatCount(most)} bytes.`,
    'Choose a size within these bounds.',
  )
}

function checkLimit(limit: Bytes, path: readonly Reading[]): void {
  for (const { native, where, device, tsoMaxSize } of path) {
    if (!native) continue
    if (tsoMaxSize === null) throw sizesUnknown()
    if (limit < LEGACY_MAX_SIZE || limit > tsoMaxSize) {
      throw outOfRange('A limit', LEGACY_MAX_SIZE, tsoMaxSize, limit, `${device} on ${where}`)
    }
  }
}

/**
 * The requested settings after a change.
 *
 * @param present all settings that the topology can have
 * @param path the current reading, for the devices' maximum
 * @throws LabError `bad_request` for an unknown setting or a size that the devices do not accept, `tool_too_old` if
 * their maximum is unknown
 */
export function intentAfter(present: Intent, change: Settings, path: readonly Reading[]): Intent {
  refuseForeign(change, Object.keys(present))
  const intent = { ...present, ...change }
  const [limit, mtu] = [limitOf(intent), mtuOf(intent)]
  if (limit !== null) checkLimit(limit, path)
  if (mtu !== null && (mtu < LEAST_MTU || mtu > MOST_POD_MTU)) {
    throw outOfRange('An MTU', LEAST_MTU, MOST_POD_MTU, mtu, 'a pod of this path')
  }
  return intent
}
