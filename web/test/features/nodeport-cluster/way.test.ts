import { BACKEND_POD, ENTRY } from '@expresslane/shared/testbed/exposed'
import { LB_MODE } from '@expresslane/shared/features/nodeport-cluster/settings'
import { datapathState, type DatapathState } from '@expresslane/shared/testbed/reading'
import { describe, expect, test } from 'vitest'
import { wayOf } from '../../../src/features/nodeport-cluster/path/way.ts'

const sizes = { gsoMaxSize: null, groMaxSize: null, gsoIpv4MaxSize: null, groIpv4MaxSize: null, tsoMaxSize: null }

interface Case {
  /** The mode of Cilium's XDP program on each node; null for none. */
  readonly xdp?: Readonly<Record<string, 'native' | 'generic' | null>>
  readonly modes?: Readonly<Record<string, string | null>>
  readonly placed?: boolean
}

function state({ xdp = {}, modes = {}, placed = true }: Case): DatapathState {
  const pod = (role: string, name: string, node: string, ipv4: string) => ({
    role,
    name,
    node,
    addresses: { ipv4, ipv6: null },
  })
  return datapathState.parse({
    at: 1,
    settings: {},
    agents: Object.entries(modes).map(([node, mode]) => ({
      node,
      settings: mode === null ? null : { [LB_MODE]: mode },
      maxGso: { ipv4: null, ipv6: null },
      unreadable: mode === null ? 'not ready' : null,
    })),
    kernel: Object.entries(xdp).map(([node, mode]) => ({
      device: 'eth0',
      mtu: 1500,
      ...sizes,
      counters: null,
      where: node,
      node,
      role: 'node',
      native: true,
      ...(mode === null ? {} : { xdp: { mode, program: 'cil_xdp_entry' } }),
    })),
    placement: placed
      ? {
          madeAt: 1,
          variant: 'other-node',
          pods: [
            pod(ENTRY, 'NodePort', 'worker2', '192.0.2.2'),
            pod(BACKEND_POD, 'nodeport-backend', 'worker', '10.0.0.1'),
          ],
        }
      : null,
  })
}

const handles = (of: DatapathState) =>
  wayOf(of, 'ipv4').places.flatMap(({ stages }) => stages.map((hook) => [hook.id, hook.handles]))

describe('the called node', () => {
  test('handles packets with XDP where its own device has Cilium’s program', () => {
    expect(handles(state({ xdp: { worker: null, worker2: 'native' } }))).toEqual([
      ['xdp', true],
      ['tc', false],
    ])
  })

  test('handles them at TC without one, whatever the other nodes have', () => {
    const at = state({ xdp: { worker: 'native', worker2: null } })
    expect(handles(at)).toEqual([
      ['xdp', false],
      ['tc', true],
    ])
    expect(wayOf(at, 'ipv4').words[0]).toContain('TC program')
  })

  test('is unknown before it is read', () => {
    expect(handles(state({ xdp: { worker: 'native' } }))).toEqual([
      ['xdp', null],
      ['tc', null],
    ])
    expect(wayOf(state({}), 'ipv4').words[0]).toContain('unknown')
  })

  test('is shown as all nodes are before it is chosen, if they agree', () => {
    expect(handles(state({ placed: false, xdp: { worker: null, worker2: null } }))[1]).toEqual(['tc', true])
    expect(handles(state({ placed: false, xdp: { worker: 'native', worker2: null } }))[1]).toEqual(['tc', null])
  })

  test('with XDP after the driver says so', () => {
    const [, entry] = wayOf(state({ xdp: { worker2: 'generic' } }), 'ipv4').places
    expect(entry?.stages[0]).toMatchObject({ handles: true, does: 'after the driver: slower than in it' })
  })
})

test('the places are in the order of a request, with what is known of each', () => {
  const way = (of: DatapathState) => wayOf(of, 'ipv4').places.map(({ name, address }) => `${name}: ${address ?? '-'}`)
  expect(way(state({ xdp: { worker: null, worker2: null } }))).toEqual([
    'Client: -',
    'worker2: 192.0.2.2',
    'worker: eth0',
    'nodeport-backend: 10.0.0.1',
  ])
  expect(way(state({ placed: false }))).toEqual(['Client: -', 'A node: -', 'Another node: -', 'Backend: -'])
})

test('the reply takes the way that the called node’s agent reports', () => {
  const reply = (modes: Case['modes']) => wayOf(state({ ...(modes && { modes }) }), 'ipv4').words[1]
  expect(reply({ worker2: 'snat', worker: 'dsr' })).toContain('comes back through the called node')
  expect(reply({ worker2: 'dsr' })).toContain('answers the client directly')
  expect(reply({ worker2: null })).toContain('unknown')
  expect(reply({ worker: 'dsr' })).toContain('unknown')
})
