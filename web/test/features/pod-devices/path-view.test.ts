import { podDevice, type PodDevice } from '@expresslane/shared/features/pod-devices/devices'
import { FORWARDING, PINGS, PROGRAMS, TRACKER } from '@expresslane/shared/features/pod-devices/roles'
import { IP_FORWARDING, POD_DEVICE } from '@expresslane/shared/features/pod-devices/settings'
import { datapathState, type DatapathState } from '@expresslane/shared/testbed/reading'
import { describe, expect, test } from 'vitest'
import { chosenWords, wayOf } from '../../../src/features/pod-devices/path/path-view.tsx'

interface Read {
  readonly device: PodDevice
  readonly forwarding?: boolean
  readonly ipv6?: number
}

/** A reading of two nodes. */
function stateOf({ device, forwarding = true, ipv6 = 1 }: Read): DatapathState {
  const byBpf = device.endsWith('-bpf')
  const tracks = device === 'veth-conntrack'
  const ofNode = (where: string, lxc: string) => [
    {
      where,
      hook: PROGRAMS,
      present: byBpf,
      devices: byBpf ? [lxc, 'eth0'] : [],
      counts: byBpf ? { toNode: 1200, toPod: 3 } : {},
    },
    { where, hook: TRACKER, present: tracks, devices: [], counts: tracks ? { known: 1 } : {} },
    { where, hook: FORWARDING, present: forwarding, devices: [], counts: { packets: byBpf ? 0 : 1200 } },
  ]
  return datapathState.parse({
    at: 0,
    settings: { [POD_DEVICE]: device, [IP_FORWARDING]: forwarding },
    agents: null,
    kernel: [],
    carried: { [POD_DEVICE]: device, [IP_FORWARDING]: forwarding },
    hooks: [
      { where: 'pod1', hook: PINGS, present: true, devices: [], counts: { ipv4: 1, ipv6 } },
      ...ofNode('node1', 'lxc1'),
      ...ofNode('node2', 'lxc2'),
    ],
    placement: { madeAt: 0, pods: [] },
  })
}

/** The layers that a packet walks on the client's node. */
function walked(read: Read): string[] {
  const node = wayOf(stateOf(read), 'ipv4').places.find(({ name }) => name === 'node1')
  return (node?.stages ?? []).flatMap((layer) => (layer.reached === true ? [layer.id] : []))
}

describe('the way of a packet', () => {
  test.each<[PodDevice, string[]]>([
    ['veth', ['device', 'ip', 'netfilter', 'wire']],
    ['veth-conntrack', ['device', 'ip', 'netfilter', 'wire']],
    ['veth-bpf', ['device', 'programs', 'wire']],
    ['netkit', ['device', 'ip', 'netfilter', 'wire']],
    ['netkit-bpf', ['device', 'programs', 'wire']],
  ])('%s', (device, layers) => {
    expect(walked({ device })).toEqual(layers)
    const { places } = wayOf(stateOf({ device }), 'ipv4')
    expect(places.map(({ name }) => name)).toEqual(['pod1', 'node1', 'node2', 'pod2'])
    // On the server's node a packet comes from the wire.
    const [near, far] = [places[1], places[2]]
    expect(far?.stages.map(({ id }) => id)).toEqual(near?.stages.map(({ id }) => id).toReversed())
    const handlers = near?.stages.filter(({ handles }) => handles).map(({ id }) => id)
    expect(handlers).toEqual([device.endsWith('-bpf') ? 'programs' : 'ip'])
  })

  test('in the host namespace there is no node in between', () => {
    const { places, words } = wayOf(stateOf({ device: 'host' }), 'ipv4')
    expect(places.map(({ name, stages }) => [name, stages.length])).toEqual([
      ['pod1', 0],
      ['pod2', 0],
    ])
    expect(words[0]).toContain('nothing lies between')
  })

  test('with forwarding off a packet ends at the IP layer, unless programs bring it across', () => {
    expect(walked({ device: 'veth', forwarding: false })).toEqual(['device', 'ip'])
    expect(walked({ device: 'veth-bpf', forwarding: false })).toEqual(['device', 'programs', 'wire'])
    const { words } = wayOf(stateOf({ device: 'veth', forwarding: false }), 'ipv4')
    expect(words[0]).toContain('packets end at the node')
  })

  test('counters are said in words', () => {
    const counted = (device: PodDevice): (string | null)[] =>
      wayOf(stateOf({ device }), 'ipv4').places[1]?.stages.map((layer) => layer.found) ?? []
    expect(counted('veth-bpf')).toEqual([
      null,
      'redirected 1,200 to the wire, 3 into the pod',
      'forwarded 0 packets',
      null,
      null,
    ])
    expect(counted('veth-conntrack')).toEqual([
      null,
      null,
      'forwarded 1,200 packets',
      'knew the connection of 1 packet',
      null,
    ])
  })

  test('a family without answers is named', () => {
    expect(wayOf(stateOf({ device: 'veth' }), 'ipv4').words.at(-1)).toBe(
      'Pings from pod to pod are answered over IPv4 and IPv6.',
    )
    expect(wayOf(stateOf({ device: 'veth', ipv6: 0 }), 'ipv4').words.at(-1)).toBe(
      'Pings from pod to pod are answered over IPv4, and not over IPv6.',
    )
  })

  test('a value that could not be read is unknown', () => {
    const { places, words } = wayOf({ ...stateOf({ device: 'veth' }), carried: {}, hooks: [] }, 'ipv4')
    expect(places[1]?.stages.map((layer) => layer.reached)).toEqual([true, null, null, null, null])
    expect(words).toEqual(['What lies between pods and nodes is unknown: it could not be read.'])
  })
})

test('the device of the next pods is named if the present pods have another', () => {
  const state = stateOf({ device: 'veth' })
  expect(chosenWords(state)).toBeNull()
  expect(chosenWords({ ...state, settings: { [POD_DEVICE]: 'veth-bpf' } })).toBe(
    'Chosen for the next pods: veth, eBPF host routing',
  )
  const off = { [POD_DEVICE]: podDevice.parse('veth'), [IP_FORWARDING]: false }
  expect(chosenWords({ ...state, settings: off })).toBe('Chosen for the next pods: veth, IP forwarding off')
  expect(chosenWords({ ...state, placement: null })).toBeNull()
})
