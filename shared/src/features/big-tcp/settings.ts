/** BIG TCP's settings: on or off for each family, the send limit, the pods' MTU, and their CPUs. */
import { i18n } from '../../base/language.ts'
import { minOf } from '../../measure/extremes.ts'
import { z } from 'zod'
import type { SettingValue, Settings } from '../../base/settings.ts'
import { bytes, formatCount, formatSize, type Bytes, type Family } from '../../base/units.ts'
import { BIG_TCP_CAP } from './size.ts'
import { LEGACY_MAX_SIZE, type DatapathState } from '../../testbed/reading.ts'
import { cpuPlacementIn, cpuPlacementName, cpuPlacementSetting } from '../cpu-placement.ts'
import type { ArmName, Setting } from '../feature.ts'

/** The largest limit of a veth device: 8 bytes less than 512 KiB. */
const MOST_LIMIT = 524_280
/** Below this a device has no IPv6 (IPV6_MIN_MTU). */
const LEAST_MTU = 1_280
const MOST_MTU = 9_000

/** The id of the setting that switches a family. */
export const switchOf: Readonly<Record<Family, string>> = { ipv4: 'big-tcp-ipv4', ipv6: 'big-tcp-ipv6' }
export const SIZE_LIMIT = 'size-limit'
export const POD_MTU = 'pod-mtu'

/** Is BIG TCP on for a family? */
export function isOn(settings: Settings, family: Family): boolean {
  return settings[switchOf[family]] === true
}

/** Is BIG TCP on for any family? */
export function isOnAnywhere(settings: Settings): boolean {
  return isOn(settings, 'ipv4') || isOn(settings, 'ipv6')
}

function sizeOf(value: SettingValue | undefined): Bytes | null {
  return typeof value === 'number' ? bytes.parse(value) : null
}

/** The requested send limit; null for the limit that BIG TCP computes. */
export function limitOf(settings: Settings): Bytes | null {
  return sizeOf(settings[SIZE_LIMIT])
}

/** The requested MTU of the pods; null for the testbed's default. */
export function mtuOf(settings: Settings): Bytes | null {
  return sizeOf(settings[POD_MTU])
}

/** `128K` is 128 KiB, as devices report it. @returns null for any other text */
function parseLimit(text: string): number | null {
  const match = /^(\d{1,7})\s*(k|kib)?$/i.exec(text.trim().replaceAll(',', ''))
  if (match === null) return null
  const limit = Number(match[1]) * (match[2] === undefined ? 1 : 1_024)
  if (limit > MOST_LIMIT && limit <= 524_288) return MOST_LIMIT
  return limit >= LEGACY_MAX_SIZE && limit <= MOST_LIMIT ? limit : null
}

/** @returns null for any other text */
function parseMtu(text: string): number | null {
  const mtu = /^\d{4}$/.test(text.trim()) ? Number(text.trim()) : Number.NaN
  return mtu >= LEAST_MTU && mtu <= MOST_MTU ? mtu : null
}

/** The largest limit that all native devices of the path accept; null if a device does not report it. */
function largestLimit({ kernel }: DatapathState): Bytes | null {
  const native = kernel.filter((device) => device.native)
  const limits = native.flatMap(({ tsoMaxSize }) => tsoMaxSize ?? [])
  return limits.length === 0 || limits.length < native.length ? null : bytes.parse(minOf(limits))
}

function familySwitch(family: Family, capability: 'big-tcp-ipv4' | 'big-tcp-ipv6'): Setting {
  return {
    id: switchOf[family],
    label: 'BIG TCP',
    schema: z.boolean(),
    off: false,
    capability,
    ways: [
      {
        primitive: `packets-${family}`,
        values: [
          [false, null],
          [true, BIG_TCP_CAP],
        ],
      },
      {
        primitive: `cilium-config/enable-${family}-big-tcp`,
        values: [
          [false, 'false'],
          [true, 'true'],
        ],
      },
    ],
    family,
    format: (value) => (value === true ? i18n.t('on') : i18n.t('off')),
    control: { kind: 'switch' },
  }
}

export const settings = [
  familySwitch('ipv4', 'big-tcp-ipv4'),
  familySwitch('ipv6', 'big-tcp-ipv6'),
  {
    id: SIZE_LIMIT,
    label: /*i18n*/ 'Send limit',
    schema: bytes.min(LEGACY_MAX_SIZE).max(MOST_LIMIT).nullable(),
    off: null,
    capability: 'size-limit',
    ways: [{ primitive: 'packet-limit' }],
    column: 'send_limit_bytes',
    dependsOn: [switchOf.ipv4, switchOf.ipv6],
    refusedBy(value, path) {
      const most = largestLimit(path)
      if (typeof value !== 'number' || most === null || value <= most) return null
      return i18n.t('The devices here accept at most {size} ({bytes} bytes).', {
        size: formatSize(most),
        bytes: `${most}`,
      })
    },
    format: (value) => (typeof value === 'number' ? formatSize(bytes.parse(value)) : i18n.t('as the devices allow')),
    control: {
      kind: 'text',
      prefix: /*i18n*/ 'limit',
      placeholder: /*i18n*/ 'auto',
      idlePlaceholder: '64K',
      parse: parseLimit,
      write: (value) => (typeof value === 'number' ? formatSize(bytes.parse(value)) : ''),
      wrong: (text) =>
        i18n.t(
          '“{text}” is not a limit. Enter 64K to 512K, or leave the field empty for the size that BIG TCP computes.',
          { text },
        ),
    },
  },
  {
    id: POD_MTU,
    label: /*i18n*/ 'MTU of the pods',
    schema: bytes.min(LEAST_MTU).max(MOST_MTU).nullable(),
    off: null,
    capability: 'pod-mtu',
    ways: [{ primitive: 'mtu' }],
    readAs: 'mtu',
    format: (value) =>
      typeof value === 'number'
        ? i18n.t('{count} bytes', { count: formatCount(value) })
        : i18n.t('the testbed’s default'),
    control: {
      kind: 'text',
      prefix: 'MTU',
      placeholder: /*i18n*/ 'default',
      parse: parseMtu,
      write: (value) => (typeof value === 'number' ? `${value}` : ''),
      wrong: (text) =>
        i18n.t('“{text}” is not an MTU. Enter 1280 to 9000, or leave the field empty for the testbed’s default.', {
          text,
        }),
    },
  },
  cpuPlacementSetting,
] as const satisfies readonly Setting[]

/** `on-mtu9000`, `With BIG TCP, MTU 9000`. */
export function nameArm(of: Settings): ArmName {
  const on = isOnAnywhere(of)
  const size = on ? limitOf(of) : null
  const mtu = mtuOf(of)
  const id = size === null ? (on ? 'on' : 'off') : formatSize(size).toLowerCase().replace('.', '-')
  const label =
    size === null ? (on ? i18n.t('With BIG TCP') : i18n.t('Without BIG TCP')) : `BIG TCP, ${formatSize(size)}`
  const cpus = cpuPlacementIn(of)
  return {
    id: [id, mtu === null ? '' : `-mtu${mtu}`, cpus === null ? '' : `-${cpus}`].join(''),
    label: [
      label,
      ...(mtu === null ? [] : [`MTU ${mtu}`]),
      ...(cpus === null ? [] : [i18n.t('CPUs: {placement}', { placement: cpuPlacementName(cpus) })]),
    ].join(', '),
  }
}

/** Before measurements recorded their settings, all labs had these two arms. */
export const unrecordedArms = {
  off: { [switchOf.ipv4]: false, [switchOf.ipv6]: false },
  on: { [switchOf.ipv4]: true, [switchOf.ipv6]: true },
}

/** The size that packets can have. The size that BIG TCP computes is above 64 KiB. */
export function rank(of: Settings): number {
  return isOnAnywhere(of) ? (limitOf(of) ?? BIG_TCP_CAP) : LEGACY_MAX_SIZE
}

/** `with BIG TCP`. */
export function phrase(of: Settings): string {
  return isOnAnywhere(of) ? i18n.t('with BIG TCP') : i18n.t('without BIG TCP')
}
