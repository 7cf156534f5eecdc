/** The limit of the client's pod, the size of its packets, and a long path. All belong to the next pods. */
import { i18n } from '../../base/language.ts'
import { z } from 'zod'
import type { Clock } from '../../measure/clock.ts'
import type { Settings } from '../../base/settings.ts'
import type { Capability } from '../../testbed/testbed.ts'
import { LEGACY_MAX_SIZE } from '../../testbed/reading.ts'
import type { ArmName, Setting } from '../feature.ts'

export const POD_LIMITER = 'pod-limiter'
export const POD_LIMIT = 'pod-limit'
export const GSO_SIZE = 'gso-size'
export const LONG_PATH = 'long-path'
export const CONGESTION_CONTROL = 'congestion-control'
export const IDLE_SLOW_START = 'idle-slow-start'

/**
 * - `police`: packets above the rate are dropped
 * - `tbf`: they wait in a queue (a token bucket)
 * - `edt`: each gets its time of departure, and waits in fq; the node's IP layer forwards it there
 * - `edt-routed`: the same, and a BPF program brings it from the pod to the wire (eBPF host routing)
 */
export const limiter = z.enum(['none', 'police', 'tbf', 'edt', 'edt-routed'])
export type Limiter = z.infer<typeof limiter>

/** `long`: 40 ms there and back. `narrow`: the same with 20 Mbit/s, and losses of so many percent. */
export const longPath = z.enum(['none', 'long', 'narrow', 'narrow-0.1', 'narrow-1'])
export type LongPath = z.infer<typeof longPath>

export const congestionControl = z.enum(['cubic', 'bbr'])
export type CongestionControl = z.infer<typeof congestionControl>

const megabits = z.number().int().min(1).max(10_000)
const gsoSize = z.union([z.literal(16_384), z.literal(32_768), z.literal(LEGACY_MAX_SIZE), z.literal(196_608)])

/** The milliseconds of a long path, there and back. */
export const ROUND_TRIP_MS = 40
export const NARROW_MBIT = 20

export const limiterName: Readonly<Record<Limiter, string>> = {
  none: /*i18n*/ 'No limit',
  police: /*i18n*/ 'Policing',
  tbf: /*i18n*/ 'Queue',
  edt: /*i18n*/ 'Departure times',
  'edt-routed': /*i18n*/ 'Departure times, host routing',
}

/** Within a sentence. */
const limiterPhrase: Readonly<Record<Exclude<Limiter, 'none'>, string>> = {
  police: /*i18n*/ 'a limit of {rate} by policing',
  tbf: /*i18n*/ 'a limit of {rate} by a queue',
  edt: /*i18n*/ 'a limit of {rate} by departure times',
  'edt-routed': /*i18n*/ 'a limit of {rate} by departure times and host routing',
}

const pathName: Readonly<Record<LongPath, string>> = {
  none: /*i18n*/ 'short',
  long: '40 ms',
  narrow: '40 ms, 20 Mbit/s',
  'narrow-0.1': /*i18n*/ '40 ms, 20 Mbit/s, 0.1 % loss',
  'narrow-1': /*i18n*/ '40 ms, 20 Mbit/s, 1 % loss',
}

const congestionName: Readonly<Record<CongestionControl, string>> = { cubic: 'CUBIC', bbr: 'BBR' }

const capabilityOfLimiter: Readonly<Record<Limiter, Capability | null>> = {
  none: null,
  police: 'pod-limit-police',
  tbf: 'pod-limit-queue',
  edt: 'pod-limit-edt',
  'edt-routed': 'pod-limit-edt',
}

export function limiterIn(settings: Settings): Limiter {
  return limiter.catch('none').parse(settings[POD_LIMITER])
}

/** In Mbit/s. */
export function limitIn(settings: Settings): number {
  return megabits.catch(NARROW_MBIT).parse(settings[POD_LIMIT])
}

/** The most bytes of a packet that the client's stack hands to its device. */
export function gsoSizeIn(settings: Settings): number {
  return gsoSize.catch(LEGACY_MAX_SIZE).parse(settings[GSO_SIZE])
}

export function longPathIn(settings: Settings): LongPath {
  return longPath.catch('none').parse(settings[LONG_PATH])
}

export function congestionControlIn(settings: Settings): CongestionControl {
  return congestionControl.catch('cubic').parse(settings[CONGESTION_CONTROL])
}

export function isIdleSlowStart(settings: Settings): boolean {
  return settings[IDLE_SLOW_START] !== false
}

/** The share of packets that a path loses, in percent. */
export function lossOf(path: LongPath): number {
  return path === 'narrow-1' ? 1 : path === 'narrow-0.1' ? 0.1 : 0
}

const kilobytes = (size: number): string => `${size / 1024}K`

const onLongPath = { capability: null, dependsOn: [LONG_PATH] } as const

export const settings = [
  {
    id: POD_LIMITER,
    label: /*i18n*/ 'Limiter',
    schema: limiter,
    off: 'none',
    capability: null,
    capabilityOf: (value) => capabilityOfLimiter[limiter.catch('none').parse(value)],
    format: (value) => i18n.t(limiterName[limiter.catch('none').parse(value)]),
    control: { kind: 'choice', options: limiter.options.map((one) => [one, limiterName[one]] as const) },
    explained: [
      [/*i18n*/ 'Policing', /*i18n*/ 'drops packets above the rate as they leave the pod.'],
      [/*i18n*/ 'Queue', /*i18n*/ 'lets packets above the rate wait in a queue (tbf).'],
      [
        /*i18n*/ 'Departure times',
        /*i18n*/ 'a BPF program writes into each packet when it may leave, and fq holds it until then.',
      ],
      [/*i18n*/ 'Host routing', /*i18n*/ 'keeps the packet’s socket on the way to fq, so that TCP sees its own queue.'],
    ],
  },
  {
    id: POD_LIMIT,
    label: /*i18n*/ 'Limit',
    schema: megabits,
    off: NARROW_MBIT,
    capability: null,
    dependsOn: [POD_LIMITER],
    format: (value) => `${megabits.catch(NARROW_MBIT).parse(value)} Mbit/s`,
    control: { kind: 'choice', options: [20, 100].map((one) => [one, `${one} Mbit/s`] as const) },
  },
  {
    id: GSO_SIZE,
    label: /*i18n*/ 'Packets of the pod',
    schema: gsoSize,
    off: LEGACY_MAX_SIZE,
    capability: null,
    capabilityOf: (value) => (value === 196_608 ? 'big-tcp-ipv4' : null),
    format: (value) => i18n.t('up to {size}', { size: kilobytes(gsoSize.catch(LEGACY_MAX_SIZE).parse(value)) }),
    control: {
      kind: 'choice',
      options: [16_384, 32_768, LEGACY_MAX_SIZE, 196_608].map((one) => [one, kilobytes(one)] as const),
    },
  },
  {
    id: LONG_PATH,
    label: /*i18n*/ 'Path',
    schema: longPath,
    off: 'none',
    capability: null,
    capabilityOf: (value) => (value === 'none' ? null : 'long-path'),
    format: (value) => i18n.t(pathName[longPath.catch('none').parse(value)]),
    control: { kind: 'choice', options: longPath.options.map((one) => [one, pathName[one]] as const) },
  },
  {
    ...onLongPath,
    id: CONGESTION_CONTROL,
    label: /*i18n*/ 'Congestion control',
    schema: congestionControl,
    off: 'cubic',
    capabilityOf: (value) => (value === 'bbr' ? 'long-path' : null),
    format: (value) => congestionName[congestionControl.catch('cubic').parse(value)],
    control: { kind: 'choice', options: congestionControl.options.map((one) => [one, congestionName[one]] as const) },
  },
  {
    ...onLongPath,
    id: IDLE_SLOW_START,
    label: /*i18n*/ 'Slow start after idle',
    schema: z.boolean(),
    off: true,
    capabilityOf: (value) => (value === false ? 'long-path' : null),
    format: (value) => (value === false ? i18n.t('off') : i18n.t('on')),
    control: { kind: 'switch' },
  },
] as const satisfies readonly Setting[]

/** The parts that differ from an unchanged path: as an id, in words, and within a sentence. */
function parts(of: Settings): { id: string; words: string; phrase?: string }[] {
  const [by, path, size] = [limiterIn(of), longPathIn(of), gsoSizeIn(of)]
  const [isLong, route] = [path !== 'none', i18n.t(pathName[path])]
  const rate = `${limitIn(of)} Mbit/s`
  return [
    ...(by === 'none'
      ? []
      : [
          {
            id: `${by}-${limitIn(of)}`,
            words: `${i18n.t(limiterName[by])}, ${rate}`,
            phrase: i18n.t(limiterPhrase[by], { rate }),
          },
        ]),
    ...(size === LEGACY_MAX_SIZE
      ? []
      : [
          {
            id: `gso-${kilobytes(size).toLowerCase()}`,
            words: i18n.t('packets up to {size}', { size: kilobytes(size) }),
          },
        ]),
    ...(isLong
      ? [{ id: path.replace('.', '-'), words: route, phrase: i18n.t('a path of {path}', { path: route }) }]
      : []),
    ...(isLong ? [{ id: congestionControlIn(of), words: congestionName[congestionControlIn(of)] }] : []),
    ...(isLong && !isIdleSlowStart(of)
      ? [{ id: 'no-idle-slow-start', words: i18n.t('no slow start after idle') }]
      : []),
  ]
}

/** `tbf-20`, `Queue, 20 Mbit/s`. */
export function nameArm(of: Settings): ArmName {
  const known = parts(of)
  if (known.length === 0) return { id: 'none', label: i18n.t(limiterName.none) }
  return { id: known.map(({ id }) => id).join('-'), label: known.map(({ words }) => words).join(', ') }
}

/** `with a limit of 20 Mbit/s by a queue`. */
export function phrase(of: Settings): string {
  const known = parts(of).map(({ words, phrase: own = words }) => own)
  return known.length === 0 ? i18n.t('without a limit') : i18n.t('with {name}', { name: known.join(', ') })
}

/** On the counted machine: the commands, and the kernel's check of the programs. */
const countedSeconds: Readonly<Record<Limiter, number>> = {
  none: 0.5,
  police: 0.8,
  tbf: 0.8,
  edt: 1.3,
  'edt-routed': 2,
}

export function extraSeconds(of: Settings, clock: Clock): number {
  return clock === null ? 0 : countedSeconds[limiterIn(of)] + (longPathIn(of) === 'none' ? 0 : 0.5)
}
