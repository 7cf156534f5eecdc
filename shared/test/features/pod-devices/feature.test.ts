import { describe, expect, test } from 'vitest'
import { capabilitiesFor, settingIssues } from '../../../src/features/settings.ts'
import { answers, podDevice, type PodDevice } from '../../../src/features/pod-devices/devices.ts'
import { podDevices } from '../../../src/features/pod-devices/feature.ts'
import {
  DEVICE_BIG_TCP,
  deviceIn,
  IP_FORWARDING,
  isForwarding,
  nameArm,
  phrase,
  POD_DEVICE,
} from '../../../src/features/pod-devices/settings.ts'
import { measurement, type Measurement } from '../../../src/measure/measurement.ts'
import { datapathState } from '../../../src/testbed/reading.ts'
import { environment } from '../../builders.ts'

const datapath = datapathState.parse({ at: 0, settings: {}, agents: null, kernel: [], placement: null })
const benchmark = { tool: 'tcp-rr', requestBytes: 1, responseBytes: 1 }

/** A thousand transactions, each of which makes four packets between pods and wire. */
function runWith(counts: Readonly<Record<string, number | null>>): Measurement {
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
    values: { tps: 1_000, ...counts },
  })
}

const none = { forwardedPackets: 0, redirectedPackets: 0, trackedPackets: 0 }

/** For each of the three counters, whether the proof accepts it. */
function judged(device: PodDevice, ...runs: readonly Measurement[]): boolean[] {
  const settings = { [POD_DEVICE]: device }
  return podDevices.proof({ settings, benchmark, family: 'ipv4', measurements: runs, datapath }).map(({ ok }) => ok)
}

describe('the proof of an arm', () => {
  test.each<[PodDevice, Partial<typeof none>]>([
    ['host', {}],
    ['veth', { forwardedPackets: 4_010 }],
    ['veth-conntrack', { forwardedPackets: 4_010, trackedPackets: 4_008 }],
    ['veth-bpf', { redirectedPackets: 4_010 }],
    ['netkit', { forwardedPackets: 4_010 }],
    ['netkit-bpf', { redirectedPackets: 4_010 }],
  ])('%s holds with its own counters alone', (device, counts) => {
    expect(judged(device, runWith({ ...none, ...counts }))).toEqual([true, true, true])
    // A single packet elsewhere makes the proof fail.
    const more = runWith({ forwardedPackets: 1, redirectedPackets: 1, trackedPackets: 1, ...counts })
    const own = ['forwardedPackets', 'redirectedPackets', 'trackedPackets'].map((one) => one in counts)
    expect(judged(device, more)).toEqual(own)
  })

  test('fails if some packets took another way', () => {
    expect(judged('veth', runWith({ ...none, forwardedPackets: 3_700 }))).toEqual([false, true, true])
    const half = { ...none, redirectedPackets: 2_000, forwardedPackets: 2_000 }
    expect(judged('veth-bpf', runWith(half))).toEqual([false, false, true])
    const good = runWith({ ...none, forwardedPackets: 4_010 })
    expect(judged('veth', good, runWith(none))).toEqual([false, true, true])
  })

  test('fails without counters, and without runs', () => {
    expect(judged('host', runWith({}))).toEqual([false, false, false])
    expect(judged('host')).toEqual([false, false, false])
  })

  test('where instructions are counted, the rate is one of instructions, and the packets are as many', () => {
    const run = runWith({ ...none, forwardedPackets: 4_010 })
    const fingerprint = environment({ instructionsPerMicrosecond: 125 })
    // 1,000 a second on a clock that counts 125 instructions a microsecond.
    const counted = { ...none, countedTps: 8_000 }
    const seen = (forwardedPackets: number): boolean[] =>
      judged('veth', { ...run, fingerprint, values: { ...counted, forwardedPackets } })
    expect(seen(4_010)).toEqual([true, true, true])
    expect(seen(3_700)).toEqual([false, true, true])
  })

  test('a request of more than 64 KiB is one packet with BIG TCP, and two without it', () => {
    const large = { tool: 'tcp-rr', requestBytes: 80_000, responseBytes: 80_000 }
    const taking = (packetsPerRequest: number | null): Measurement =>
      runWith({ ...none, redirectedPackets: 4_010, packetsPerRequest })
    const cut = (big: boolean, ...runs: readonly Measurement[]): boolean[] => {
      const settings = { [POD_DEVICE]: 'veth-bpf', [DEVICE_BIG_TCP]: big }
      const of = { settings, family: 'ipv4', measurements: runs, datapath } as const
      return podDevices.proof({ ...of, benchmark: large }).map(({ ok }) => ok)
    }
    const others = [true, true, true]
    expect(cut(true, taking(1.002))).toEqual([true, ...others])
    expect(cut(false, taking(2.01))).toEqual([true, ...others])
    expect(cut(true, taking(1), taking(2))).toEqual([false, ...others])
    expect(cut(false, taking(2), taking(1))).toEqual([false, ...others])
    expect(cut(true, taking(null))).toEqual([false, ...others])
  })

  test('a stream has to pass, too, but nobody knows its packets', () => {
    const { values, ...stream } = runWith({ ...none, forwardedPackets: 1 })
    expect(judged('veth', { ...stream, values: { ...values, tps: null } })).toEqual([true, true, true])
  })
})

describe('settings', () => {
  test('missing ones are a veth pair on nodes that forward', () => {
    expect([deviceIn({}), isForwarding({})]).toEqual(['veth', true])
    expect(capabilitiesFor({ [POD_DEVICE]: 'veth', [IP_FORWARDING]: true })).toEqual(['pod-device'])
  })

  test('each device names what it needs', () => {
    const needs = podDevice.options.map((one) => capabilitiesFor({ [POD_DEVICE]: one }))
    expect(needs.flat()).toEqual([
      'pod-device',
      'pod-device',
      'pod-device-conntrack',
      'pod-device-bpf',
      'pod-device-netkit',
      'pod-device-netkit-bpf',
    ])
    const known = podDevices.capabilities.map(({ id }) => id)
    for (const need of needs.flat()) expect(known).toContain(need)
  })

  test('other values are refused', () => {
    expect(settingIssues({ [POD_DEVICE]: 'ipvlan' })).toHaveLength(1)
    expect(settingIssues({ [IP_FORWARDING]: 'off' })).toHaveLength(1)
  })

  test('arms have names', () => {
    expect(nameArm({ [POD_DEVICE]: 'veth-bpf' })).toEqual({ id: 'veth-bpf', label: 'veth, eBPF host routing' })
    const off = { [POD_DEVICE]: 'veth', [IP_FORWARDING]: false }
    expect(nameArm(off)).toEqual({ id: 'veth-no-forwarding', label: 'veth, forwarding off' })
    expect(phrase(off)).toBe('with veth, forwarding off')
    const big = { [POD_DEVICE]: 'netkit-bpf', [DEVICE_BIG_TCP]: true }
    expect(nameArm(big)).toEqual({ id: 'netkit-bpf-big-tcp', label: 'netkit, eBPF host routing, BIG TCP' })
    expect(phrase(big)).toBe('with netkit and eBPF host routing, BIG TCP on')
    expect(capabilitiesFor(big)).toEqual(['pod-device-netkit-bpf', 'big-tcp-ipv4'])
    expect(phrase({ [POD_DEVICE]: 'host' })).toBe('in the host namespace')
  })

  test('presets have valid arms, the offered tools, and names of their own', () => {
    const tools = podDevices.benchmarks.map(({ tool }) => tool)
    for (const { arms, tool } of podDevices.presets) {
      expect(arms.flatMap((arm) => settingIssues(arm, podDevices))).toEqual([])
      expect(tools).toContain(tool)
    }
    const names = podDevices.presets.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })
})

test('without forwarding only programs and the host namespace let pods reach each other', () => {
  expect(podDevice.options.filter((one) => answers(one, false))).toEqual(['host', 'veth-bpf', 'netkit-bpf'])
  expect(podDevice.options.filter((one) => answers(one, true))).toEqual(podDevice.options)
})
