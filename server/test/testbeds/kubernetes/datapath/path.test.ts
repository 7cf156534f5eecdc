import { compareLayers } from '@expresslane/shared/features/big-tcp/layers'
import { readFileSync } from 'node:fs'
import { BIG_TCP_CAP } from '@expresslane/shared/features/big-tcp/size'
import { datapathState, deviceKey, LEGACY_MAX_SIZE } from '@expresslane/shared/testbed/reading'
import { placement, type Placement, type PlacementVariant } from '@expresslane/shared/testbed/placement'
import { describe, expect, test } from 'vitest'
import { toPath, toReport, type PathWords, type PodLinks } from '../../../../src/testbeds/kubernetes/datapath/path.ts'
import { asPrimitives } from '../../../../src/testbeds/cilium-key.ts'
import { parseNumberedLinks } from '../../../../src/tools/ip-link.ts'
import { bigTcp } from '../../../support/runs/settings.ts'
import { keyed, stored } from '../keys.ts'
import { recordedCluster, recordedSettings } from '../recorded.ts'

type Arm = 'off' | 'on'

function podLinks(arm: Arm, pod: string): PodLinks {
  const file = new URL(`../../../fixtures/kubernetes/${arm}/workload-links.json`, import.meta.url)
  const all = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
  return { value: parseNumberedLinks(JSON.stringify(all[pod])), reason: null }
}

function placed(variant: PlacementVariant = 'other-node'): Placement {
  const addresses = { ipv4: null, ipv6: null }
  const serverNode = variant === 'same-node' ? 'kind-worker2' : 'kind-worker'
  return placement.parse({
    madeAt: 1,
    variant,
    pods: [
      { role: 'client', name: 'netperf-client', node: 'kind-worker2', addresses },
      { role: 'server', name: 'netperf-server', node: serverNode, addresses },
    ],
  })
}

/** The recorded cluster with both pods. */
function words(arm: Arm, over: Partial<PathWords> = {}): PathWords {
  const pods = { client: podLinks(arm, 'netperf-client'), server: podLinks(arm, 'netperf-server') }
  return { placement: placed(), pods, answers: recordedCluster(arm).agents, ...over }
}

function keysOf(read: PathWords): string[] {
  return toPath(read).kernel.map(deviceKey)
}

function stateOf(arm: Arm, over: Partial<PathWords> = {}) {
  const read = words(arm, over)
  const settings = stored(recordedSettings(arm))
  // As features read them.
  const agents = read.answers
    .map((answer) => toReport(answer, [], settings))
    .map((one) =>
      one.settings === null ? one : { ...one, settings: bigTcp({ ipv4: arm === 'on', ipv6: arm === 'on' }) },
    )
  return datapathState.parse({
    at: 1,
    settings: bigTcp({ ipv4: arm === 'on', ipv6: arm === 'on' }),
    agents,
    placement: read.placement,
    ...toPath(read),
  })
}

test.each([
  ['off', LEGACY_MAX_SIZE, 'kind-worker2/lxc0ee451dca902', 'kind-worker/lxcc14c606346b3'],
  ['on', BIG_TCP_CAP, 'kind-worker2/lxcb8975e818b1b', 'kind-worker/lxc214b4468c509'],
] as const)('the recorded path, %s: every device in its order, and all layers agree', (arm, size, near, far) => {
  const state = stateOf(arm)
  expect(state.kernel.map(deviceKey)).toEqual([
    'netperf-client/eth0',
    near,
    'kind-worker2/eth0',
    'kind-worker/eth0',
    far,
    'netperf-server/eth0',
    'kind-control-plane/eth0',
  ])
  expect(state.kernel.map(({ node, role, native }) => [node, role, native])).toEqual([
    ['kind-worker2', 'pod', false],
    ['kind-worker2', 'node', false],
    ['kind-worker2', 'node', true],
    ['kind-worker', 'node', true],
    ['kind-worker', 'node', false],
    ['kind-worker', 'pod', false],
    ['kind-control-plane', 'node', true],
  ])
  for (const { gsoMaxSize, groIpv4MaxSize, counters } of state.kernel) {
    expect([gsoMaxSize, groIpv4MaxSize]).toEqual([size, size])
    expect(counters).not.toBeNull()
  }
  expect(state.unread).toEqual([])
  expect([compareLayers(state, 'ipv4'), compareLayers(state, 'ipv6')]).toEqual(['agree', 'agree'])
})

test('without pods there are the native devices alone', () => {
  expect(keysOf(words('off', { placement: null, pods: { client: null, server: null } }))).toEqual(
    recordedCluster('off').agents.map(({ node }) => `${node}/eth0`),
  )
})

test('on one node both ends are adjacent, and the native devices are not on the path', () => {
  const read = words('off', { placement: placed('same-node') })
  expect(keysOf(read).slice(0, 4)).toEqual([
    'netperf-client/eth0',
    'kind-worker2/lxc0ee451dca902',
    'kind-worker2/lxc0ee451dca902',
    'netperf-server/eth0',
  ])
  expect(keysOf(read).slice(4).toSorted()).toEqual(['kind-control-plane/eth0', 'kind-worker/eth0', 'kind-worker2/eth0'])
})

test('pods of the host network have no devices of their own', () => {
  const read = words('off', { placement: placed('host-network'), pods: { client: null, server: null } })
  expect(keysOf(read)).toEqual(['kind-worker2/eth0', 'kind-worker/eth0', 'kind-control-plane/eth0'])
})

describe('unreadable places are unknown, with the reason', () => {
  const answers = recordedCluster('on').agents
  const withAnswer = (node: string, over: object) =>
    answers.map((answer) => (answer.node === node ? { ...answer, ...over } : answer))

  test('a node whose agent restarts', () => {
    const away = withAnswer('kind-worker', { status: null, links: null, reason: 'its agent is not ready' })
    const state = stateOf('on', { answers: away })
    expect(state.unread).toEqual([{ where: 'kind-worker', reason: 'its agent is not ready' }])
    expect(state.kernel.map(deviceKey)).not.toContain('kind-worker/eth0')
    expect(state.agents?.find(({ node }) => node === 'kind-worker')).toEqual({
      node: 'kind-worker',
      settings: null,
      overriddenBy: null,
      maxGso: { ipv4: null, ipv6: null },
      unreadable: 'its agent is not ready',
    })
    expect(compareLayers(state, 'ipv4')).toBe('unknown')
  })

  test('a pod, while its node is known', () => {
    const pods = { client: podLinks('on', 'netperf-client'), server: { value: null, reason: 'the pod is gone' } }
    const { kernel, unread } = toPath(words('on', { pods }))
    expect(unread).toEqual([{ where: 'netperf-server', reason: 'the pod is gone' }])
    expect(kernel.map(deviceKey)).toContain('kind-worker/eth0')
  })

  test('devices that the agent does not report, or that ip does not show', () => {
    const [any] = answers
    const untold = withAnswer('kind-worker', { status: { ...any?.status, devices: null } })
    expect(toPath(words('on', { answers: untold })).unread[0]?.where).toBe('kind-worker')
    const ghost = withAnswer('kind-worker', { status: { ...any?.status, devices: ['eth0', 'bond0'] } })
    expect(toPath(words('on', { answers: ghost })).unread[0]?.reason).toContain('bond0')
  })

  test('a pod whose other end is not on its node', () => {
    const links = answers.find(({ node }) => node === 'kind-worker')?.links?.filter(({ index }) => index !== 22)
    const { kernel, unread } = toPath(words('on', { answers: withAnswer('kind-worker', { links }) }))
    expect(unread).toEqual([{ where: 'kind-worker', reason: expect.stringContaining('netperf-server') as unknown }])
    expect(kernel.map(deviceKey)).toContain('netperf-server/eth0')
  })
})

describe('an agent’s report', () => {
  const settings = stored(recordedSettings('on'))
  const [answer] = recordedCluster('on').agents
  const status = answer?.status ?? null
  if (answer === undefined || status === null) throw new Error('no recorded agent')

  test('is on only with a size above 64 KiB', () => {
    expect(toReport(answer, [], settings)).toMatchObject({
      settings: asPrimitives(keyed({ ipv4: true, ipv6: true })),
      unreadable: null,
    })
    const cleared = { ...status, maxGso: { ...status.maxGso, ipv4: LEGACY_MAX_SIZE } }
    expect(toReport({ ...answer, status: cleared }, [], settings)).toMatchObject({
      settings: asPrimitives(keyed({ ipv4: false, ipv6: true })),
    })
  })

  test('is unreadable if its status does not report a family', () => {
    const old = { ...status, setting: { ipv4: null, ipv6: true } }
    expect(toReport({ ...answer, status: old }, [], settings)).toMatchObject({
      settings: null,
      unreadable: expect.stringContaining('both families') as unknown,
    })
  })

  test('names what overrides the intent on its node', () => {
    const override = { name: 'mine', nodes: [answer.node], setting: keyed({ ipv4: false }), says: '' }
    expect(toReport(answer, [override], settings).overriddenBy).toBe('CiliumNodeConfig mine')
  })
})
