import { LB_ACCELERATION, LB_MODE } from '@expresslane/shared/features/nodeport-cluster/settings'
import { datapathState, type DatapathState } from '@expresslane/shared/testbed/reading'
import { expect, test } from 'vitest'
import { observe } from '../../../src/features/nodeport-cluster/observe.ts'

const sizes = { gsoMaxSize: null, groMaxSize: null, gsoIpv4MaxSize: null, groIpv4MaxSize: null, tsoMaxSize: null }

function state(intended: string, agent: string | null, program: string | null): DatapathState {
  const device = {
    device: 'eth0',
    mtu: 1500,
    ...sizes,
    counters: null,
    where: 'n',
    node: 'n',
    role: 'node',
    native: true,
  }
  const settings = agent === null ? null : { [LB_ACCELERATION]: agent }
  const unreadable = agent === null ? 'not ready' : null
  return datapathState.parse({
    at: 1,
    settings: { [LB_ACCELERATION]: intended },
    agents: [{ node: 'n', settings, maxGso: { ipv4: null, ipv6: null }, unreadable }],
    kernel: [{ ...device, ...(program === null ? {} : { xdp: { mode: 'native', program } }) }],
    placement: null,
  })
}

const native = { [LB_ACCELERATION]: 'native' }
const disabled = { [LB_ACCELERATION]: 'disabled' }
const oks = (of: DatapathState, wanted: Record<string, string>) =>
  observe(of, { families: ['ipv4'], intent: wanted, nodes: wanted }).map(({ ok }) => ok)

test('ConfigMap, agents and kernel are compared one by one', () => {
  expect(oks(state('native', 'native', 'cil_xdp_entry'), native)).toEqual([true, true, true])
  expect(oks(state('native', 'disabled', null), native)).toEqual([true, false, false])
  expect(oks(state('disabled', 'disabled', 'cil_xdp_entry'), disabled)).toEqual([true, true, false])
  expect(oks(state('disabled', null, null), disabled)).toEqual([true, false, true])
})

test('nothing is expected of other features’ settings', () => {
  expect(observe(state('native', 'native', null), { families: ['ipv4'], nodes: { 'big-tcp-ipv4': true } })).toEqual([])
})

test('the way of the replies is compared in the ConfigMap and in each agent; no device shows it', () => {
  const of = (intended: string, agent: string | null) => ({
    ...state('disabled', agent === null ? null : 'disabled', null),
    settings: { [LB_MODE]: intended },
    agents: [
      {
        node: 'n',
        settings: agent === null ? null : { [LB_MODE]: agent },
        overriddenBy: null,
        maxGso: { ipv4: null, ipv6: null },
        unreadable: agent === null ? 'not ready' : null,
      },
    ],
  })
  const dsr = { [LB_MODE]: 'dsr' }
  expect(oks(of('dsr', 'dsr'), dsr)).toEqual([true, true])
  expect(oks(of('dsr', 'snat'), dsr)).toEqual([true, false])
  expect(oks(of('snat', null), dsr)).toEqual([false, false])
})
