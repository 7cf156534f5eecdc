/** What was asked of the datapath, and what it takes. */
import { LabError } from '@expresslane/shared/wire/errors'
import { LEGACY_MAX_SIZE, type FamilySetting, type Reading } from '@expresslane/shared/testbed/reading'
import { formatCount, type Bytes } from '@expresslane/shared/measure/units'
import type { DatapathChange } from '../testbed.ts'
import { untellable } from './taken.ts'
import { MOST_POD_MTU } from './topologies/topology.ts'

export interface Intent extends FamilySetting {
  /** The send limit of the families that are on; null for the size that BIG TCP computes. */
  readonly limit: Bytes | null
  /** Of the pods that are made from now on; null for the path's own. */
  readonly mtu: Bytes | null
}

/** What a path is built with. */
export const untouched: Intent = { ipv4: false, ipv6: false, limit: null, mtu: null }

/** With less a device has no IPv6 (IPV6_MIN_MTU). */
const LEAST_MTU = 1280

function outOfRange(what: string, least: number, most: number, asked: number, device: string): LabError {
  return new LabError(
    'bad_request',
    `${what} of ${formatCount(asked)} bytes can't be set here: ${device} takes ${formatCount(least)} to ${formatCount(most)} bytes.`,
    'Choose a size within these bounds.',
  )
}

function checkLimit(limit: Bytes, path: readonly Reading[]): void {
  for (const { native, where, device, tsoMaxSize } of path) {
    if (!native) continue
    if (tsoMaxSize === null) throw untellable()
    if (limit < LEGACY_MAX_SIZE || limit > tsoMaxSize) {
      throw outOfRange('A limit', LEGACY_MAX_SIZE, tsoMaxSize, limit, `${device} on ${where}`)
    }
  }
}

/**
 * The intent once a change was asked for.
 *
 * @param path as it is now: tells the devices' maximum
 * @throws LabError `bad_request` for a size that the devices do not take, `tool_too_old` where they do not tell it
 */
export function intentAfter(present: Intent, change: DatapathChange, path: readonly Reading[]): Intent {
  const intent = { ...present, ...change }
  if (intent.limit !== null) checkLimit(intent.limit, path)
  if (intent.mtu !== null && (intent.mtu < LEAST_MTU || intent.mtu > MOST_POD_MTU)) {
    throw outOfRange('An MTU', LEAST_MTU, MOST_POD_MTU, intent.mtu, 'a pod of this path')
  }
  return intent
}
