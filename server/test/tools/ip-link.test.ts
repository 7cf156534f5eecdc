import { BIG_TCP_CAP } from '@expresslane/shared/features/big-tcp/size'
import { LEGACY_MAX_SIZE } from '@expresslane/shared/testbed/reading'
import { bytes } from '@expresslane/shared/base/units'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  linkShowArgv,
  parseLinks,
  parseLinksByNamespace,
  parseNumberedLinks,
  sizeAttributes,
} from '../../src/tools/ip-link.ts'
import { readFixture } from './fixture.ts'

const aNumber: unknown = expect.any(Number)
const unreadable: unknown = expect.objectContaining({ code: 'tool_output_unreadable' })

test('argv asks for details, statistics and JSON', () => {
  expect(linkShowArgv().join(' ')).toBe('ip -d -s -j link show')
  expect(linkShowArgv('eth0').join(' ')).toBe('ip -d -s -j link show dev eth0')
})

describe.each([
  ['off', LEGACY_MAX_SIZE],
  ['on', BIG_TCP_CAP],
] as const)('a recorded path, %s', (arm, size) => {
  const { lines } = readFixture(`iproute2/6.15.0-path-${arm}`)
  const path = parseLinksByNamespace(lines)

  test('has the devices of every namespace', () => {
    const names = [...path].map(([name, links]) => [name, ...links.map(({ device }) => device).toSorted()].join(' '))
    expect(names.toSorted()).toEqual([
      'bridge br0 lo port1 port2',
      'node1 eth0 lo lxc1',
      'node2 eth0 lo lxc2',
      'pod1 eth0 lo',
      'pod2 eth0 lo',
    ])
  })

  test('has the sizes and counters of a node', () => {
    expect(path.get('node1')?.find(({ device }) => device === 'eth0')).toEqual({
      device: 'eth0',
      mtu: 1600,
      gsoMaxSize: size,
      groMaxSize: size,
      gsoIpv4MaxSize: size,
      groIpv4MaxSize: size,
      tsoMaxSize: 524_280,
      counters: {
        rxPackets: aNumber,
        txPackets: aNumber,
        rxBytes: aNumber,
        txBytes: aNumber,
      },
    })
  })

  test('cut anywhere inside its last namespace, it is unreadable or lacks that namespace, and is never half read', () => {
    const last = lines.at(-1) ?? ''
    fc.assert(
      fc.property(fc.integer({ min: 1, max: last.length - 1 }), (length) => {
        expect(() => parseLinksByNamespace([...lines.slice(0, -1), last.slice(0, length)])).toThrow(unreadable)
      }),
    )
  })
})

test('iproute2 6.1 does not show the IPv4 sizes: they are unknown', () => {
  const [link] = parseLinks(readFixture('iproute2/6.1.0-link').lines.join('\n'))
  expect(link).toMatchObject({
    gsoMaxSize: BIG_TCP_CAP,
    groMaxSize: BIG_TCP_CAP,
    tsoMaxSize: 524_280,
    gsoIpv4MaxSize: null,
    groIpv4MaxSize: null,
  })
})

test('elements that a filter emptied are left out, and missing counters are unknown', () => {
  expect(parseLinks('[{},{"ifname":"eth0","mtu":1500}]')).toEqual([
    {
      device: 'eth0',
      mtu: 1500,
      gsoMaxSize: null,
      groMaxSize: null,
      gsoIpv4MaxSize: null,
      groIpv4MaxSize: null,
      tsoMaxSize: null,
      counters: null,
    },
  ])
})

test('the two ends of a veth pair name each other by number, across namespaces', () => {
  const { lines } = readFixture('iproute2/6.15.0-path-off')
  const textOf = (namespace: string): string =>
    lines[lines.findIndex((line) => line === `netns: ${namespace}`) + 1] ?? ''
  const device = (namespace: string, name: string) =>
    parseNumberedLinks(textOf(namespace)).find(({ link }) => link.device === name)
  const [pod, lxc] = [device('pod1', 'eth0'), device('node1', 'lxc1')]
  expect(pod?.index).toBe(lxc?.peerIndex)
  expect(lxc?.index).toBe(pod?.peerIndex)
  expect(pod?.index).toEqual(aNumber)
  expect(device('node1', 'lo')).toMatchObject({ index: 1, peerIndex: null })
  expect(parseNumberedLinks('[{"ifname":"eth0","mtu":1500}]')).toMatchObject([{ index: null, peerIndex: null }])
})

test('any other text is unreadable', () => {
  for (const text of ['', '{}', '[{"ifname":1}]', '[{"ifname":"eth0","mtu":"x"}]', 'Device "eth0" does not exist.']) {
    expect(() => parseLinks(text)).toThrow(unreadable)
  }
  expect(() => parseLinksByNamespace(['[{}]'])).toThrow(unreadable)
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(() => parseLinks(`${text}x`)).toThrow(unreadable)
    }),
  )
})

describe('setting sizes', () => {
  test('writes IPv6 first, because its legacy coupling overwrites IPv4', () => {
    expect(sizeAttributes({ ipv6: LEGACY_MAX_SIZE, ipv4: BIG_TCP_CAP }).join(' ')).toBe(
      'gso_max_size 65536 gro_max_size 65536 gso_ipv4_max_size 196608 gro_ipv4_max_size 196608',
    )
  })

  test('leaves IPv4 out where it is not known', () => {
    expect(sizeAttributes({ ipv6: bytes.parse(131_072), ipv4: null }).join(' ')).toBe(
      'gso_max_size 131072 gro_max_size 131072',
    )
  })
})
