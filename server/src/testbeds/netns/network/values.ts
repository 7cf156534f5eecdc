/** The values of the path's primitives, checked against what the testbed's devices accept. */
import { cpuPlacement, type CpuPlacement } from '@expresslane/shared/testbed/placement'
import type { Values } from '@expresslane/shared/testbed/primitive'
import { LEGACY_MAX_SIZE, type Reading } from '@expresslane/shared/testbed/reading'
import { bytes, formatCount, type Bytes, type Family } from '@expresslane/shared/base/units'
import { LabError } from '@expresslane/shared/base/errors'
import { MOST_POD_MTU, mtusFor, type Topology } from '../../topology.ts'
import { sizesUnknown } from './taken.ts'

/** The values that a new path has: the defaults. */
export function untouched({ settable }: Pick<Topology, 'settable'>): Values {
  return Object.fromEntries(settable.map((primitive) => [primitive, null]))
}

function sizeIn(values: Values, primitive: 'packet-limit' | 'mtu' | `packets-${Family}`): Bytes | null {
  const value = values[primitive]
  return typeof value === 'number' ? bytes.parse(value) : null
}

/** How large the packets of a family may grow; null if they may not grow. */
export function growthOf(values: Values, family: Family): Bytes | null {
  return sizeIn(values, `packets-${family}`)
}

/** The exact size of packets that may grow; null for the devices' own limit. */
export function limitOf(values: Values): Bytes | null {
  return sizeIn(values, 'packet-limit')
}

/** The MTU of the pods; null for the default. */
export function mtuOf(values: Values): Bytes | null {
  return sizeIn(values, 'mtu')
}

/** The MTU that nodes and wire must have; null for a path whose MTU is not set here. */
export function nodesMtu(
  values: Values,
  { release, topology }: { readonly release: string; readonly topology: Topology },
): number | null {
  return topology.settable.includes('mtu') ? mtusFor(mtuOf(values), release).node : null
}

/** The placement of commands on CPUs; null for the default. */
export function cpusOf({ cpus = null }: Values): CpuPlacement | null {
  return cpuPlacement.nullable().parse(cpus)
}

/** The release of the kernel; null for the default. */
export function kernelOf({ kernels = null }: Values): string | null {
  return typeof kernels === 'string' ? kernels : null
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

/** A device that can't send larger packets would take the size of every device. */
function checkGrowth(path: readonly Reading[]): void {
  const small = path.find(({ native, tsoMaxSize }) => native && tsoMaxSize !== null && tsoMaxSize <= LEGACY_MAX_SIZE)
  if (small === undefined) return
  throw new LabError(
    'bad_request',
    `${small.device} on ${small.where} sends no packet beyond 64 KiB: its driver’s tso_max_size is ${formatCount(small.tsoMaxSize ?? 0)}.`,
    'Use a network card whose driver allows larger packets, such as mlx5 or ice.',
  )
}

/**
 * The values after a change.
 *
 * @param present all values that the topology can have
 * @param path the current reading, for the devices' maximum
 * @throws LabError `bad_request` for a size that the devices do not accept, `tool_too_old` if their maximum is unknown
 */
export function valuesAfter(present: Values, change: Values, path: readonly Reading[]): Values {
  const values = { ...present, ...change }
  const [limit, mtu] = [limitOf(values), mtuOf(values)]
  if (limit !== null) checkLimit(limit, path)
  if (growthOf(change, 'ipv4') !== null || growthOf(change, 'ipv6') !== null) checkGrowth(path)
  if (mtu !== null && (mtu < LEAST_MTU || mtu > MOST_POD_MTU)) {
    throw outOfRange('An MTU', LEAST_MTU, MOST_POD_MTU, mtu, 'a pod of this path')
  }
  return values
}
