import { device } from '@expresslane/shared/test/builders'
import { describe, expect, it } from 'vitest'
import { requireSettable } from '../../src/testbeds/kubernetes/settable.ts'
import { intentAfter, untouched } from '../../src/testbeds/netns/network/intent.ts'
import { pair } from '../../src/testbeds/netns/topologies/pair.ts'

describe.each([
  [
    'netns',
    (settings: Parameters<typeof requireSettable>[0]) => void intentAfter(untouched(pair), settings, [device()]),
  ],
  ['kubernetes', requireSettable],
])('the %s testbed', (_, set) => {
  it('refuses a setting that it does not know, on or off', () => {
    for (const value of [true, false, null]) {
      const settings = { 'big-tcp-ipv4': true, 'of-another-feature': value }
      expect(() => set(settings)).toThrow(
        expect.objectContaining({
          code: 'bad_request',
          message: 'This testbed has no setting “of-another-feature”.',
        }),
      )
    }
  })

  it('takes its own settings', () => {
    expect(() =>
      set({ 'big-tcp-ipv4': true, 'big-tcp-ipv6': false, 'size-limit': null, 'pod-mtu': null }),
    ).not.toThrow()
  })
})

it('a cluster can’t set a limit or an MTU, and the error has the reason', () => {
  expect(() => requireSettable({ 'size-limit': 131_072 })).toThrow(/Cilium sets one size/)
  expect(() => requireSettable({ 'cpu-placement': 'one-cpu' })).toThrow(/the nodes’ schedulers choose/)
  expect(() => requireSettable({ 'pod-mtu': 9_000 })).toThrow(/Cilium takes the pods' MTU/)
})
