import { describe, expect, test } from 'vitest'
import { limits } from '../../../src/features/limits/feature.ts'
import {
  CONGESTION_CONTROL,
  GSO_SIZE,
  IDLE_SLOW_START,
  limiter,
  LONG_PATH,
  nameArm,
  phrase,
  POD_LIMIT,
  POD_LIMITER,
  type Limiter,
} from '../../../src/features/limits/settings.ts'
import { storedValues } from '../../../src/features/printed.ts'
import { capabilitiesFor, settingIssues } from '../../../src/features/settings.ts'
import type { Settings } from '../../../src/base/settings.ts'
import { measurement, type Measurement } from '../../../src/measure/measurement.ts'
import { datapathState } from '../../../src/testbed/reading.ts'
import { environment } from '../../builders.ts'

const datapath = datapathState.parse({ at: 0, settings: {}, agents: null, kernel: [], placement: null })
const benchmark = { tool: 'stream-and-pings' }

/** @param clock null for time */
function runWith(printed: Readonly<Record<string, number | null>>, clock: number | null = null): Measurement {
  return measurement.parse({
    arm: 'a',
    caseId: null,
    family: 'ipv4',
    benchmark,
    repeat: 1,
    warmup: false,
    startedAt: 0,
    elapsedSeconds: 4,
    fingerprint: clock === null ? null : environment({ instructionsPerMicrosecond: clock }),
    values: storedValues(printed, clock),
  })
}

const quiet = { streamRate: 19.3e6, leastPing: 0.2, limiterPassed: 0, limiterDropped: 0, hostRouted: 0, pathDropped: 0 }

function judged(settings: Settings, ...measurements: readonly Measurement[]): string[] {
  const seen = limits.proof({ settings, benchmark, family: 'ipv4', measurements, datapath })
  return seen.flatMap(({ ok, label }) => (ok ? [] : [label]))
}

const passed: string = 'packets that the limiter let through'
const routed: string = 'packets that host routing brought to the wire'

describe('the proof of a limit', () => {
  test.each<[Limiter, Partial<typeof quiet>]>([
    ['none', {}],
    ['police', { limiterPassed: 900 }],
    ['tbf', { limiterPassed: 900 }],
    ['edt', { limiterPassed: 900 }],
    ['edt-routed', { limiterPassed: 900, hostRouted: 901 }],
  ])('%s holds with its own counters alone', (by, counts) => {
    const settings = { [POD_LIMITER]: by }
    expect(judged(settings, runWith({ ...quiet, ...counts }))).toEqual([])
    const without = Object.keys(counts).map((one) => (one === 'hostRouted' ? routed : passed))
    expect(judged(settings, runWith(quiet))).toEqual(without)
    const all = runWith({ ...quiet, limiterPassed: 1, hostRouted: 1 })
    expect(judged(settings, all)).toEqual([passed, routed].filter((one) => !without.includes(one)))
  })

  test('fails above the limit, and without counters or runs', () => {
    const settings = { [POD_LIMITER]: 'tbf', [POD_LIMIT]: 20 }
    const fast = runWith({ ...quiet, limiterPassed: 900, streamRate: 26e6 })
    expect(judged(settings, fast)).toEqual(['rate of the stream'])
    expect(judged({ ...settings, [POD_LIMIT]: 100 }, fast)).toEqual([])
    expect(judged(settings, runWith({}))).toEqual([passed, routed, 'rate of the stream'])
    expect(judged(settings)).toEqual([passed, routed, 'rate of the stream'])
  })

  test('reads the same rate by a clock that counts instructions', () => {
    const settings = { [POD_LIMITER]: 'tbf' }
    expect(judged(settings, runWith({ ...quiet, limiterPassed: 900 }, 125))).toEqual([])
    const fast = runWith({ ...quiet, limiterPassed: 900, streamRate: 26e6 }, 125)
    expect(judged(settings, fast)).toEqual(['rate of the stream'])
    expect(fast.values).toMatchObject({ countedStreamRate: 26e6 })
  })
})

describe('the proof of a long path', () => {
  const settings = { [LONG_PATH]: 'narrow-1', [CONGESTION_CONTROL]: 'bbr' }

  test('needs its delay, its rate and its losses', () => {
    expect(judged(settings, runWith({ ...quiet, leastPing: 40.1, pathDropped: 12 }))).toEqual([])
    expect(judged(settings, runWith({ ...quiet, pathDropped: 12 }))).toEqual(['shortest ping'])
    expect(judged(settings, runWith({ ...quiet, leastPing: 40.1 }))).toEqual(['packets that the long path lost'])
    const fast = { ...quiet, leastPing: 40.1, pathDropped: 12, streamRate: 40e6 }
    expect(judged(settings, runWith(fast))).toEqual(['rate of the stream'])
    expect(judged({ [LONG_PATH]: 'long' }, runWith({ ...fast, pathDropped: 0 }))).toEqual([])
  })

  test('of a response after a pause is the time of the response without one', () => {
    const of = (readyResponse: number): boolean[] =>
      limits
        .proof({
          settings: { [LONG_PATH]: 'long' },
          benchmark: { tool: 'after-pause', pauseSeconds: 10 },
          family: 'ipv4',
          measurements: [runWith({ readyResponse, pausedResponse: 280 })],
          datapath,
        })
        .map(({ ok }) => ok)
    expect(of(58)).toEqual([true])
    expect(of(3)).toEqual([false])
  })
})

test('arms are named by what they have', () => {
  expect(nameArm({})).toEqual({ id: 'none', label: 'No limit' })
  expect(nameArm({ [POD_LIMITER]: 'edt-routed', [POD_LIMIT]: 100, [GSO_SIZE]: 196_608 })).toEqual({
    id: 'edt-routed-100-gso-192k',
    label: 'Departure times, host routing, 100 Mbit/s, packets up to 192K',
  })
  expect(phrase({ [LONG_PATH]: 'long', [IDLE_SLOW_START]: false })).toBe(
    'with a path of 40 ms, CUBIC, no slow start after idle',
  )
  expect(phrase({})).toBe('without a limit')
})

test('each way of a limit needs its own capability, and a long path needs another', () => {
  const needs = limiter.options.map((by) => capabilitiesFor({ [POD_LIMITER]: by }))
  expect(needs).toEqual([[], ['pod-limit-police'], ['pod-limit-queue'], ['pod-limit-edt'], ['pod-limit-edt']])
  expect(capabilitiesFor({ [LONG_PATH]: 'narrow' })).toEqual(['long-path'])
  expect(settingIssues({ [GSO_SIZE]: 1_000 })).toHaveLength(1)
})
