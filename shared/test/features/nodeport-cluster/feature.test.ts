import { describe, expect, test } from 'vitest'
import { armNameOf, comparedFeature } from '../../../src/features/arms.ts'
import { nodeportCluster } from '../../../src/features/nodeport-cluster/feature.ts'
import { ENTRY } from '../../../src/testbed/exposed.ts'
import {
  accelerationIn,
  LB_ACCELERATION,
  LB_MODE,
  lbModeIn,
  nameArm,
  phrase,
} from '../../../src/features/nodeport-cluster/settings.ts'
import { ciliumXdp } from '../../../src/features/nodeport-cluster/settings.ts'
import { capabilitiesFor } from '../../../src/features/settings.ts'
import { measurement, type Measurement } from '../../../src/measure/measurement.ts'
import { datapathState, type DatapathState } from '../../../src/testbed/reading.ts'
import { environment, measured } from '../../builders.ts'

const echo = { tool: 'nodeport-echo' } as const
const off = { 'big-tcp-ipv4': false, 'big-tcp-ipv6': false }

function under(settings: Record<string, unknown>, tool: string): Measurement {
  return { ...measured({ arm: 'a', family: 'ipv4', fingerprint: environment({ settings }) }), benchmark: { tool } }
}

const unknownSizes = {
  gsoMaxSize: null,
  groMaxSize: null,
  gsoIpv4MaxSize: null,
  groIpv4MaxSize: null,
  tsoMaxSize: null,
}

/** A cluster on which `node` is called. */
function state(program: string | null, node = 'called'): DatapathState {
  const device = { device: 'eth0', mtu: 1500, ...unknownSizes, counters: null }
  const at = (where: string) => ({ ...device, where, node: where, role: 'node', native: true })
  const xdp = program === null ? {} : { xdp: { mode: 'native', program } }
  const pod = { role: ENTRY, name: 'NodePort', node, addresses: { ipv4: '192.0.2.1', ipv6: null } }
  return datapathState.parse({
    at: 1,
    settings: {},
    agents: [],
    kernel: [{ ...at('called'), ...xdp }, at('other')],
    placement: { madeAt: 1, variant: 'other-node', pods: [pod] },
  })
}

function proves(by: string, datapath: DatapathState, counted: readonly (number | null)[], tps = 1_000): boolean[] {
  const measurements = counted.map((tcPackets, index) =>
    measurement.parse({
      arm: by,
      family: 'ipv4',
      repeat: index + 1,
      startedAt: 1,
      elapsedSeconds: 1,
      benchmark: echo,
      values: { tps, tcPackets },
    }),
  )
  const input = { settings: { [LB_ACCELERATION]: by }, benchmark: echo, family: 'ipv4' } as const
  return nodeportCluster.proof({ ...input, measurements, datapath }).map(({ ok }) => ok)
}

describe('the setting', () => {
  test('is disabled or native, needs a cluster for native, and another value is unknown', () => {
    expect(
      ['disabled', 'native', 'best-effort', null].map((value) => accelerationIn({ [LB_ACCELERATION]: value })),
    ).toEqual(['disabled', 'native', null, null])
    expect(capabilitiesFor({ [LB_ACCELERATION]: 'native' })).toEqual(['lb-acceleration'])
    expect(capabilitiesFor({ [LB_ACCELERATION]: 'disabled' })).toEqual([])
    expect([nameArm({ [LB_ACCELERATION]: 'native' }), phrase({})]).toEqual([{ id: 'native', label: 'XDP' }, 'with TC'])
  })

  test('for the replies’ way is snat or dsr, needs a cluster for dsr, and is named where it is DSR', () => {
    expect(['snat', 'dsr', 'hybrid', null].map((value) => lbModeIn({ [LB_MODE]: value }))).toEqual([
      'snat',
      'dsr',
      null,
      null,
    ])
    expect(capabilitiesFor({ [LB_MODE]: 'dsr' })).toEqual(['lb-mode'])
    expect(capabilitiesFor({ [LB_MODE]: 'snat' })).toEqual([])
    const both = { [LB_ACCELERATION]: 'native', [LB_MODE]: 'dsr' }
    expect([nameArm(both), phrase(both)]).toEqual([{ id: 'native-dsr', label: 'XDP, DSR' }, 'with XDP and DSR'])
    expect(nameArm({ ...both, [LB_MODE]: 'snat' })).toEqual({ id: 'native', label: 'XDP' })
  })

  test('names an arm beside BIG TCP by the tool, if everything is off', () => {
    const both = { ...off, [LB_ACCELERATION]: 'disabled' }
    expect(armNameOf(under(both, 'nodeport-echo'))).toBe('TC')
    expect(armNameOf(under(both, 'tcp-rr'))).toBe('Without BIG TCP')
    const native = under({ ...off, [LB_ACCELERATION]: 'native' }, 'nodeport-echo')
    expect(armNameOf(native)).toBe('XDP')
    expect(comparedFeature(under(both, 'nodeport-echo'), native)?.id).toBe('nodeport-cluster')
  })
})

describe('the proof', () => {
  test('for XDP needs the program on the called node, and nearly no packets at TC', () => {
    expect(proves('native', state('cil_xdp_entry'), [0.01, 0.4])).toEqual([true, true])
    expect(proves('native', state('cil_xdp_entry'), [0.01, 4])).toEqual([true, false])
    expect(proves('native', state(null), [0.01])).toEqual([false, true])
    expect(proves('native', state('cil_xdp_entry', 'other'), [0.01])).toEqual([false, true])
  })

  test('for TC needs that all packets got there, and no program', () => {
    expect(proves('disabled', state(null), [4, 4.2])).toEqual([true, true])
    expect(proves('disabled', state('cil_xdp_entry'), [0.1])).toEqual([false, false])
  })

  test('takes nothing from runs with too few transactions, and fails if there are no others', () => {
    const datapath = state('cil_xdp_entry')
    expect(proves('native', datapath, [36], 4)).toEqual([true, false])
    const [few, many] = [36, 0.03].map((tcPackets, index) =>
      measurement.parse({
        arm: 'native',
        family: 'ipv4',
        repeat: index + 1,
        startedAt: 1,
        elapsedSeconds: 2,
        benchmark: echo,
        values: { tps: index === 0 ? 4 : 5_000, tcPackets },
      }),
    )
    const input = { settings: { [LB_ACCELERATION]: 'native' }, benchmark: echo, family: 'ipv4', datapath } as const
    const measurements = [few, many].flatMap((one) => one ?? [])
    expect(nodeportCluster.proof({ ...input, measurements }).map(({ ok, seen }) => [ok, seen])).toEqual([
      [true, 'native'],
      [true, '0.03'],
    ])
  })

  test('is the program alone where nothing counts at TC, and unknown without a reading', () => {
    expect(proves('native', state('cil_xdp_entry'), [null])).toEqual([true])
    expect(proves('disabled', state(null, 'unread'), [null])).toEqual([false])
  })

  test('does not take another XDP program for Cilium’s', () => {
    expect(ciliumXdp({ xdp: { mode: 'native', program: 'filter' } })).toBe('none')
    expect(ciliumXdp({ xdp: { mode: 'generic', program: 'cil_xdp_entry' } })).toBe('generic')
    expect(ciliumXdp({})).toBe('none')
  })
})

describe('the proof of the replies’ way', () => {
  const ways = (mode: string, counted: readonly (number | null)[]): boolean[] => {
    const measurements = counted.map((entryPackets, index) =>
      measurement.parse({
        arm: mode,
        family: 'ipv4',
        repeat: index + 1,
        startedAt: 1,
        elapsedSeconds: 1,
        benchmark: echo,
        values: { tps: 1_000, entryPackets },
      }),
    )
    const input = { settings: { [LB_MODE]: mode }, benchmark: echo, family: 'ipv4' } as const
    return nodeportCluster.proof({ ...input, measurements, datapath: state(null) }).map(({ ok }) => ok)
  }

  test('with DSR needs that the called node gets the requests alone, in every repeat', () => {
    expect(ways('dsr', [1, 1.04])).toEqual([true, true])
    expect(ways('dsr', [1, 2])).toEqual([true, false])
    expect(ways('dsr', [1.4])).toEqual([true, false])
  })

  test('with SNAT needs that the replies come back through it', () => {
    expect(ways('snat', [2, 1.9])).toEqual([true, true])
    expect(ways('snat', [1])).toEqual([true, false])
    expect(ways('snat', [1.4])).toEqual([true, false])
  })

  test('fails where the packets are unknown, and is none where the way is not named', () => {
    expect(ways('dsr', [null])).toEqual([true, false])
    expect(ways('hybrid', [1])).toEqual([true])
  })
})
