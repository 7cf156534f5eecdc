/** The devices of a kernel before 6.3 have no sizes for IPv4. */
import { bytes, epochMs } from '@expresslane/shared/base/units'
import { LEGACY_MAX_SIZE, type DatapathState, type Reading } from '@expresslane/shared/testbed/reading'
import { describe, expect, test } from 'vitest'
import { observe } from '../../../src/features/big-tcp/expectations.ts'
import { hint } from '../../../src/features/big-tcp/hint.ts'
import { bigTcp } from '../../support/runs/settings.ts'

const old: Reading = {
  where: 'node1',
  node: 'node1',
  device: 'eth0',
  role: 'node',
  native: true,
  mtu: bytes.parse(1500),
  gsoMaxSize: LEGACY_MAX_SIZE,
  groMaxSize: LEGACY_MAX_SIZE,
  gsoIpv4MaxSize: null,
  groIpv4MaxSize: null,
  tsoMaxSize: bytes.parse(524_280),
  counters: null,
}

function stateOf(device: Reading): DatapathState {
  return {
    at: epochMs.parse(0),
    settings: {},
    agents: null,
    kernel: [device],
    unread: [],
    carried: {},
    hooks: [],
    placement: null,
  }
}

function isOk(device: Reading, on: boolean): boolean | undefined {
  return observe(stateOf(device), { families: ['ipv4'], nodes: bigTcp({ ipv4: on }) })[0]?.ok
}

test('without BIG TCP a device that has no sizes for IPv4 is as expected, with it is not', () => {
  expect([isOk(old, false), isOk(old, true)]).toEqual([true, false])
})

test('a device whose sizes are not shown at all is unknown', () => {
  expect(isOk({ ...old, tsoMaxSize: null }, false)).toBe(false)
})

describe('a hint', () => {
  const size = (of: number) => bytes.parse(of)
  const big = size(196_608)
  const device: Reading = { ...old, gsoIpv4MaxSize: LEGACY_MAX_SIZE, groIpv4MaxSize: LEGACY_MAX_SIZE }
  const set: Reading = { ...device, gsoIpv4MaxSize: big, groIpv4MaxSize: big }
  const pod: Reading = { ...device, where: 'pod1', role: 'pod', native: false }
  const on = bigTcp({ ipv4: true })
  const seen = (...kernel: Reading[]) =>
    hint({ ...stateOf(device), kernel }, { families: ['ipv4'], nodes: on, pods: on })

  test('names the first device that differs, and says what it has', () => {
    expect(seen(set, { ...device, where: 'node2' })).toBe('node2 eth0 has 65,536, and this step needs 196,608.')
    expect(seen(set, { ...set, groIpv4MaxSize: LEGACY_MAX_SIZE })).toContain('Its gro_ipv4_max_size, for receiving, is')
    expect(seen(set, { ...set, gsoIpv4MaxSize: LEGACY_MAX_SIZE })).toContain('Its gso_ipv4_max_size, for sending, is')
    expect(seen({ ...device, gsoMaxSize: big })).toContain(
      'as gso_max_size, which is for IPv6. For IPv4 it is gso_ipv4',
    )
    expect(seen(set, pod)).toContain('pod1 still has 65,536: it was created before the switch.')
  })

  test('names an agent that has not read its configuration again', () => {
    const agent = { overriddenBy: null, maxGso: { ipv4: null, ipv6: null }, unreadable: null }
    const agents = [
      { ...agent, node: 'node1', settings: on },
      { ...agent, node: 'node2', settings: bigTcp({ ipv4: false }) },
    ]
    const asked = { families: ['ipv4' as const], nodes: on }
    expect(hint({ ...stateOf(device), settings: on, agents }, asked)).toBe(
      'The configuration has BIG TCP on for IPv4, and the agent on node2 still runs with it off: restart the agents.',
    )
  })

  test('is missing where nothing differs', () => {
    expect(seen(set, { ...pod, gsoIpv4MaxSize: big, groIpv4MaxSize: big })).toBeNull()
  })
})
