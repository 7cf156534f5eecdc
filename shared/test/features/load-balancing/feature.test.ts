import { describe, expect, test } from 'vitest'
import { balancer } from '../../../src/features/load-balancing/balancers.ts'
import { loadBalancing } from '../../../src/features/load-balancing/feature.ts'
import {
  BACKENDS,
  BALANCED_BY,
  BALANCING,
  balancingIn,
  BUCKETS,
  nameArm,
  phrase,
  REPLIES,
  settingsOf,
} from '../../../src/features/load-balancing/settings.ts'
import { capabilitiesFor, settingIssues } from '../../../src/features/settings.ts'
import { measurement, type Measurement } from '../../../src/measure/measurement.ts'
import type { Benchmark } from '../../../src/measure/benchmark.ts'
import { datapathState } from '../../../src/testbed/reading.ts'

const datapath = datapathState.parse({ at: 0, settings: {}, agents: null, kernel: [], placement: null })
const held = { tool: 'held-connections', event: 'leaves', connections: 1_000 }
const rr = { tool: 'tcp-rr', requestBytes: 1, responseBytes: 1 }
const crr = { tool: 'tcp-crr' }

function runOf(benchmark: Benchmark, values: Readonly<Record<string, number | null>>): Measurement {
  return measurement.parse({
    arm: 'a',
    caseId: null,
    family: 'ipv4',
    benchmark,
    repeat: 1,
    warmup: false,
    startedAt: 0,
    elapsedSeconds: 1,
    fingerprint: null,
    values,
  })
}

function judged(
  benchmark: Benchmark,
  settings: Readonly<Record<string, string>>,
  ...values: Record<string, number | null>[]
) {
  const measurements = values.map((one) => runOf(benchmark, one))
  return loadBalancing.proof({ settings, benchmark, family: 'ipv4', measurements, datapath }).map(({ ok }) => ok)
}

describe('the proof of held connections', () => {
  const good = { openedConnections: 1_000, wrongBuckets: 0 }

  test('needs all connections and the whole table, in each run', () => {
    expect(judged(held, {}, good, good)).toEqual([true, true])
    expect(judged(held, {}, good, { ...good, openedConnections: 999 })).toEqual([false, true])
    expect(judged(held, {}, { ...good, wrongBuckets: 1 }, good)).toEqual([true, false])
  })

  test('fails without values, and without runs', () => {
    expect(judged(held, {}, good, {})).toEqual([false, false])
    expect(judged(held, {})).toEqual([false, false])
  })
})

describe('the proof of the replies’ way', () => {
  test('a transaction has two packets at the balancer, and one with direct replies', () => {
    expect(judged(rr, {}, { tps: 1_000, balancerPackets: 2_050 })).toEqual([true])
    expect(judged(rr, {}, { tps: 1_000, balancerPackets: 1_020 })).toEqual([false])
    expect(judged(rr, { [REPLIES]: 'direct' }, { tps: 1_000, balancerPackets: 1_020 })).toEqual([true])
    expect(judged(rr, { [REPLIES]: 'direct' }, { tps: 1_000, balancerPackets: 2_050 })).toEqual([false])
  })

  test('a connection for each has ten, and five with direct replies', () => {
    expect(judged(crr, {}, { tps: 100, balancerPackets: 1_010 })).toEqual([true])
    expect(judged(crr, { [REPLIES]: 'direct' }, { tps: 100, balancerPackets: 505 })).toEqual([true])
    expect(judged(crr, { [REPLIES]: 'direct' }, { tps: 100, balancerPackets: 1_010 })).toEqual([false])
  })

  test('fails without a counter', () => {
    expect(judged(rr, {}, { tps: 1_000 })).toEqual([false])
    expect(judged(rr, { [REPLIES]: 'direct' }, { tps: 1_000, balancerPackets: null })).toEqual([false])
    expect(judged(rr, {})).toEqual([false])
  })
})

describe('settings', () => {
  test('missing ones are random backends', () => {
    const usual = { balancer: 'random', by: 'nftables', buckets: 1_021, backends: 5, replies: 'balancer' } as const
    expect(balancingIn({})).toEqual(usual)
    expect(balancingIn(settingsOf(usual))).toEqual(usual)
    expect(capabilitiesFor(settingsOf(usual))).toEqual(['load-balancing'])
  })

  test('other values are refused', () => {
    expect(settingIssues({ [BALANCING]: 'round-robin' })).toHaveLength(1)
    expect(settingIssues({ [BUCKETS]: 1_000 })).toHaveLength(1)
    expect(settingIssues({ [BACKENDS]: 7 })).toHaveLength(1)
  })

  test('arms have names', () => {
    expect(nameArm({ [BALANCING]: 'maglev' })).toEqual({ id: 'maglev', label: 'Maglev' })
    const small = { [BALANCING]: 'maglev', [BUCKETS]: 251, [REPLIES]: 'direct' }
    expect(nameArm(small)).toEqual({ id: 'maglev-251-direct', label: 'Maglev, 251 buckets, direct replies' })
    expect(phrase(small)).toBe('with Maglev and direct replies')
    const byXdp = { [BALANCING]: 'random', [BALANCED_BY]: 'xdp' }
    expect(nameArm(byXdp)).toEqual({ id: 'random-xdp', label: 'Random, XDP' })
    expect(phrase(byXdp)).toBe('with random backends by XDP')
    expect(phrase({ [BALANCING]: 'random' })).toBe('with random backends and conntrack')
    expect(new Set(balancer.options.map((one) => phrase({ [BALANCING]: one }))).size).toBe(balancer.options.length)
  })

  test('presets have valid arms, the offered tools, and names of their own', () => {
    const tools: readonly string[] = loadBalancing.benchmarks.map(({ tool }) => tool)
    for (const { arms, tool } of loadBalancing.presets) {
      expect(arms.flatMap((arm) => settingIssues(arm, loadBalancing))).toEqual([])
      expect(tools).toContain(tool)
    }
    const names = loadBalancing.presets.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })
})
