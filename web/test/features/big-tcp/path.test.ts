import { describe, expect, it } from 'vitest'
import { followPath, type FollowedPath } from '../../../src/api/follow.ts'
import { packetsView } from '../../../src/features/big-tcp/path/packets.ts'
import { layersView } from '../../../src/features/big-tcp/path/layers.ts'
import { isBig, sizeView } from '../../../src/features/big-tcp/path/path-model.ts'
import { placesOf } from '../../../src/features/big-tcp/path/places.ts'
import {
  datapath,
  device,
  ended,
  logged,
  measured,
  repeatStarted,
  runOf,
  started,
} from '@expresslane/shared/test/builders'

const big = { gsoIpv4MaxSize: 196_608, groIpv4MaxSize: 196_608 }
const pod = { where: 'pod1', role: 'pod', native: false }
const read = (at: number, ...kernel: ReturnType<typeof device>[]) => ({
  incarnation: 'one',
  problem: null,
  datapath: datapath(kernel, { at }),
})

function followed(...readings: Parameters<typeof followPath>[1][]): FollowedPath {
  const path = readings.reduce<FollowedPath | null>(followPath, null)
  if (path === null) throw new Error('no readings')
  return path
}

function marks(path: FollowedPath): (string | null)[] {
  return placesOf(path, 'ipv4').path.flatMap(({ devices }) => devices.map(({ was }) => was?.gso ?? null))
}

describe('the live path', () => {
  it('groups devices by place, in the order of the path', () => {
    const path = followed(
      read(1, device(pod), device({ device: 'lxc1', native: false }), device(), device({ where: 'node2' })),
    )
    expect(placesOf(path, 'ipv4').path.map(({ where, devices }) => [where, devices.map((one) => one.device)])).toEqual([
      ['pod1', ['eth0']],
      ['node1', ['lxc1', 'eth0']],
      ['node2', ['eth0']],
    ])
  })

  it('marks the latest change with the previous value, until the next change', () => {
    const before = read(1, device(pod), device())
    const switched = read(10_000, device(pod), device(big))
    const redeployed = read(20_000, device({ ...pod, ...big }), device(big))
    expect(marks(followed(before))).toEqual([null, null])
    expect(marks(followed(before, switched))).toEqual([null, '64K'])
    expect(marks(followed(before, switched, read(15_000, device(pod), device(big))))).toEqual([null, '64K'])
    expect(marks(followed(before, switched, redeployed))).toEqual(['64K', null])
  })

  it('treats changes within a short time as one change', () => {
    const first = read(10_000, device(big), device({ where: 'node2' }))
    const second = read(10_500, device(big), device({ where: 'node2', ...big }))
    expect(marks(followed(read(1, device(), device({ where: 'node2' })), first, second))).toEqual(['64K', '64K'])
  })

  it('does not treat missing pods or readings as a change', () => {
    const unreadable = { incarnation: 'one', datapath: null, problem: null }
    expect(marks(followed(read(1, device()), unreadable, read(9000, device())))).toEqual([null])
    const without = read(10_000, device())
    const remade = read(11_000, device({ ...pod, ...big }), device())
    expect(marks(followed(read(1, device(pod), device()), without, remade))).toEqual(['64K', null])
  })

  it('starts again with a rebuilt testbed', () => {
    const rebuilt = { ...read(2, device(big)), incarnation: 'two' }
    expect(marks(followed(read(1, device()), rebuilt))).toEqual([null])
  })

  it('shows unknown as unknown', () => {
    expect(sizeView(null)).toEqual({ text: 'unknown', exact: 'unknown', bytes: null })
    expect(isBig(null)).toBe(false)
    const { gso } = placesOf(followed(read(1, device({ gsoIpv4MaxSize: null }))), 'ipv4').path[0]?.devices[0] ?? {}
    expect(gso?.text).toBe('unknown')
  })

  it('explains pods that were made before the change', () => {
    const on = { settings: { 'big-tcp-ipv4': true, 'big-tcp-ipv6': false } }
    expect(layersView(datapath([device(pod), device(big)], on), 'ipv4')).toMatchObject({
      tone: 'warn',
      title: 'Pods differ',
      text: 'BIG TCP over IPv4 is on (192K) on 1 node, but 1 pod was created before the change and keeps its old size. Deploy new pods to apply the change.',
    })
  })

  it('counts nodes and pods, without the devices between the nodes', () => {
    const wire = device({ where: 'bridge', role: 'wire', native: false, gsoIpv4MaxSize: 524_280 })
    const ends = [device(pod), device(), device({ device: 'lxc1', native: false }), device({ where: 'node2' })]
    const both = [...ends, device({ ...pod, where: 'pod2' }), wire]
    expect(layersView(datapath(both), 'ipv4')).toMatchObject({
      tone: 'good',
      title: 'intended = kernel',
      text: 'BIG TCP over IPv4 is off (64K) on 2 nodes and 2 pods.',
    })
    const bare = layersView(datapath([device(), device({ where: 'node2' }), wire]), 'ipv4')
    expect(bare.text).toBe('BIG TCP over IPv4 is off (64K) on 2 nodes.')
    const { path } = placesOf(followed(read(1, ...both)), 'ipv4')
    const transit = path.flatMap(({ where, devices }) => devices.flatMap((one) => (one.transit ? [where] : [])))
    expect(transit).toEqual(['bridge'])
  })
})

describe('packets per request', () => {
  const measuring = (arm: 'off' | 'on', perRequest: number | null, from: number) => {
    const taken = measured({ arm, values: { packetsPerRequest: perRequest } })
    const stepId = arm === 'off' ? 'baseline' : 'measure-on'
    const events = [
      started({ stepId }),
      repeatStarted(1, { arm }),
      { type: 'measurement.taken', measurement: taken } as const,
    ]
    return runOf(logged([...events, ended], from, `r_0000000${from}`))
  }

  it('are those of the latest run, and of another arm before it', () => {
    expect(packetsView([])).toBeNull()
    expect(packetsView([measuring('off', 2, 1)])).toEqual({ arm: 'off', now: 2, before: null })
    expect(packetsView([measuring('off', 2, 1), measuring('on', 1, 6)])).toEqual({ arm: 'on', now: 1, before: 2 })
  })

  it('are those of one case in an experiment: the latest measurement and the arm before it', () => {
    const taken = [
      ['64k', 'large', 2],
      ['64k', 'small', 1],
      ['192k', 'large', 1],
    ] as const
    const events = taken.flatMap(([arm, caseId, perRequest], index) => {
      const measurement = measured({ arm, caseId, repeat: index + 1, values: { packetsPerRequest: perRequest } })
      return [repeatStarted(index + 1, { arm, caseId }), { type: 'measurement.taken', measurement } as const]
    })
    expect(packetsView([runOf(logged([started(), ...events, ended]))])).toEqual({ arm: '192k', now: 1, before: 2 })
  })

  it('are unknown if the counters could not be read', () => {
    expect(packetsView([measuring('off', null, 1)])).toEqual({ arm: 'off', now: null, before: null })
  })
})
