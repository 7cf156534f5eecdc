/** The path panel where there are agents: places on and off the path, what is unknown, and the three layers. */
import { describe, expect, it } from 'vitest'
import { followPath } from '../../../src/api/follow.ts'
import { agentViews, layersView } from '../../../src/features/big-tcp/path/layers.ts'
import { placesOf, type PlaceView } from '../../../src/features/big-tcp/path/places.ts'
import { datapath, device } from '@expresslane/shared/test/builders'

const big = { gsoIpv4MaxSize: 196_608, groIpv4MaxSize: 196_608 }
const on = { 'big-tcp-ipv4': true, 'big-tcp-ipv6': false }
const maxGso = { ipv4: 196_608, ipv6: 65_536 }
const says = (node: string, over: object = {}) => ({ node, settings: on, maxGso, unreadable: null, ...over })
const silent = (node: string, unreadable: string | null) =>
  says(node, { settings: null, maxGso: { ipv4: null, ipv6: null }, unreadable })

const nodeDevice = (node: string, over: object = {}) => device({ where: node, node, ...over })
const podEnd = (where: string, node: string, over: object = {}) =>
  device({ where, node, role: where === node ? 'node' : 'pod', native: false, ...over })
const pods = (clientNode: string, serverNode: string, variant = 'other-node') => ({
  madeAt: 1,
  variant,
  pods: [
    { role: 'client', name: 'netperf-client', node: clientNode, addresses: { ipv4: null, ipv6: null } },
    { role: 'server', name: 'netperf-server', node: serverNode, addresses: { ipv4: null, ipv6: null } },
  ],
})

function places(state: ReturnType<typeof datapath>) {
  return placesOf(followPath(null, { incarnation: 'one', problem: null, datapath: state }), 'ipv4')
}
const names = (list: readonly PlaceView[]): string[] => list.map(({ where }) => where)
const agents = [says('a'), says('b'), says('c')]

describe('places of a cluster', () => {
  const apart = [
    podEnd('netperf-client', 'a'),
    podEnd('a', 'a', { device: 'lxc1' }),
    nodeDevice('a'),
    nodeDevice('b'),
    podEnd('b', 'b', { device: 'lxc2' }),
    podEnd('netperf-server', 'b'),
  ]

  it('lie on the way from client to server, with the network between; the other nodes lie apart', () => {
    const { path, others } = places(datapath([...apart, nodeDevice('c')], { agents, placement: pods('a', 'b') }))
    expect(names(path)).toEqual(['netperf-client', 'a', 'network between the nodes', 'b', 'netperf-server'])
    expect(path[1]?.devices.map((one) => one.device)).toEqual(['lxc1', 'eth0'])
    expect(names(others)).toEqual(['c'])
  })

  it('are no path while there are no pods', () => {
    const { path, others } = places(datapath([nodeDevice('a'), nodeDevice('b')], { agents }))
    expect([names(path), names(others)]).toEqual([[], ['a', 'b']])
  })

  it('have nothing between them on one node', () => {
    const kernel = [
      podEnd('netperf-client', 'a'),
      podEnd('a', 'a', { device: 'lxc1' }),
      podEnd('a', 'a', { device: 'lxc2' }),
      podEnd('netperf-server', 'a'),
      nodeDevice('a'),
      nodeDevice('b'),
    ]
    const { path, others } = places(datapath(kernel, { agents, placement: pods('a', 'a', 'same-node') }))
    expect(names(path)).toEqual(['netperf-client', 'a', 'netperf-server'])
    expect(path[1]?.note).toMatch(/never leave it/)
    // Packets do not cross the node's native device.
    expect(names(others)).toEqual(['a', 'b'])
  })

  it('are nodes alone where the pods use their network', () => {
    const placement = pods('a', 'b', 'host-network')
    const { path } = places(datapath([nodeDevice('a'), nodeDevice('b')], { agents, placement }))
    expect(names(path)).toEqual(['a', 'network between the nodes', 'b'])
    expect(path.map(({ note }) => note)).toEqual([
      expect.stringContaining('netperf-client runs here'),
      expect.any(String),
      expect.stringContaining('netperf-server runs here'),
    ])
  })

  it('stand where they belong, with the reason, even if they could not be read', () => {
    const kernel = apart.filter(({ where }) => where !== 'a' && where !== 'netperf-server')
    const unread = ['a', 'netperf-server', 'c'].map((where) => ({ where, reason: `no answer of ${where}` }))
    const { path, others } = places(datapath(kernel, { agents, unread, placement: pods('a', 'b') }))
    expect(names(path)).toEqual(['netperf-client', 'a', 'network between the nodes', 'b', 'netperf-server'])
    expect(path.map(({ unread: why }) => why)).toEqual([
      null,
      'no answer of a',
      null,
      null,
      'no answer of netperf-server',
    ])
    expect(others).toMatchObject([{ where: 'c', unread: 'no answer of c', devices: [] }])
  })

  it('mark what is not as intended: a node that does not follow, a pod that keeps its size', () => {
    const kernel = [podEnd('netperf-client', 'a'), nodeDevice('a', big), nodeDevice('b')]
    const { path } = places(datapath(kernel, { agents, settings: on, placement: pods('a', 'b') }))
    expect(path.flatMap(({ devices }) => devices.map(({ drift }) => drift))).toEqual(['kept', null, 'differs'])
  })

  it('compare a device with the size of its node', () => {
    const small = { tsoMaxSize: 131_072, gsoIpv4MaxSize: 131_072, groIpv4MaxSize: 131_072 }
    const state = datapath([nodeDevice('a', big), nodeDevice('b', small)], { agents: agents.slice(0, 2), settings: on })
    expect(places(state).others.flatMap(({ devices }) => devices.map(({ drift }) => drift))).toEqual([null, null])
    expect(layersView(state, 'ipv4').rows.at(-1)).toMatchObject({
      says: 'nodes 128K to 192K',
      verdict: { word: 'agrees' },
    })
  })
})

describe('the three layers', () => {
  const rows = (state: ReturnType<typeof datapath>): string[] =>
    layersView(state, 'ipv4').rows.map(({ name, says: words, verdict }) =>
      [name, words, ...(verdict === null ? [] : [verdict.word])].join(' | '),
    )
  const followed = [nodeDevice('a', big), nodeDevice('b', big)]

  it('agree', () => {
    const state = datapath(followed, { agents: [says('a'), says('b')], settings: on })
    expect(rows(state)).toEqual([
      'Intended | on, 192K',
      'Agents | 2 of 2 report on | agrees',
      'Kernel | nodes 192K | agrees',
    ])
    expect(layersView(state, 'ipv4')).toMatchObject({ tone: 'good', title: 'intended = agents = kernel' })
  })

  it('name the agent that differs, and its override', () => {
    const other = says('b', {
      settings: { 'big-tcp-ipv4': false, 'big-tcp-ipv6': false },
      overriddenBy: 'CiliumNodeConfig slow',
    })
    const state = datapath(followed, { agents: [says('a'), other], settings: on })
    expect(rows(state)[1]).toBe('Agents | 1 of 2 reports on, 1 off | differs')
    expect(layersView(state, 'ipv4')).toMatchObject({ tone: 'bad', title: 'Intended ≠ agents' })
    expect(layersView(state, 'ipv4').text).toContain(
      'the agent on b reports another setting, because CiliumNodeConfig slow overrides',
    )
    expect(agentViews(state, 'ipv4')[0]).toMatchObject({
      node: 'b',
      says: 'off',
      asIntended: false,
      overriddenBy: 'CiliumNodeConfig slow',
    })
  })

  it('report drift even if another agent is unknown', () => {
    const other = says('b', { settings: { 'big-tcp-ipv4': false, 'big-tcp-ipv6': false } })
    const state = datapath(followed, { agents: [other, silent('c', null)], settings: on })
    expect(layersView(state, 'ipv4').title).toBe('Intended ≠ agents')
    expect(rows(state)[1]).toBe('Agents | 0 of 2 report on, 1 off, 1 not read | differs')
  })

  it('are unknown if an agent did not report, with the reason', () => {
    const state = datapath(followed, { agents: [says('a'), silent('b', 'pod is not running')], settings: on })
    expect(rows(state)[1]).toBe('Agents | 1 of 2 reports on, 1 not read | partly unknown')
    expect(layersView(state, 'ipv4')).toMatchObject({ tone: 'unknown' })
    expect(agentViews(state, 'ipv4')[0]).toMatchObject({ says: 'unknown', unreadable: 'pod is not running' })
    expect(agentViews(state, 'ipv4')[1]).toMatchObject({ says: 'on', maxGso: '192K', asIntended: true })
  })

  it('are unknown if the kernel could not be read', () => {
    const state = datapath([nodeDevice('a', big)], {
      agents: [says('a'), says('b')],
      unread: [{ where: 'b', reason: 'exec dropped' }],
      settings: on,
    })
    expect(rows(state)[2]).toBe('Kernel | nodes 192K, 1 not read | partly unknown')
    expect(layersView(state, 'ipv4').text).toContain('Could not be read: b.')
  })

  it('distinguish pods from nodes', () => {
    const kernel = [podEnd('netperf-client', 'a'), ...followed]
    const state = datapath(kernel, { agents: [says('a'), says('b')], settings: on, placement: pods('a', 'b') })
    expect(rows(state)[2]).toBe('Kernel | nodes 192K, pods 64K | pods differ')
    const stuck = datapath([nodeDevice('a'), nodeDevice('b', big)], { agents: [says('a'), says('b')], settings: on })
    expect(rows(stuck)[2]).toBe('Kernel | nodes 64K to 192K | differs')
  })
})
