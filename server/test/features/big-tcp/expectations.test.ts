/** The devices of a kernel before 6.3 have no sizes for IPv4. */
import { bytes, epochMs } from '@expresslane/shared/base/units'
import { LEGACY_MAX_SIZE, type DatapathState, type Reading } from '@expresslane/shared/testbed/reading'
import { expect, test } from 'vitest'
import { observe } from '../../../src/features/big-tcp/expectations.ts'
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
