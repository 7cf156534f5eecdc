import { setTimeout as delay } from 'node:timers/promises'
import type { RunEvent } from '@expresslane/shared/run/events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCluster } from '../../src/testbeds/kubernetes/api/cluster.ts'
import {
  deployWorkload,
  readWorkload,
  removeWorkload,
  untilGone,
} from '../../src/testbeds/kubernetes/workload/workload.ts'
import { startApiProxy } from './support/api-proxy.ts'
import { note, progressLine } from '../contract/contract-kit.ts'
import { execIn } from '../../src/testbeds/kubernetes/exec/exec.ts'
import { clusterConfig, partsOf, ran, realParts } from './support/parts.ts'
import { pair, pairOf } from '../support/runs/pair.ts'
import { podIn } from '../../src/testbeds/kubernetes/workload/pods.ts'

const namespace = 'expresslane-workload'
const parts = realParts(namespace)
const { core } = parts.cluster
const forever = new AbortController().signal

async function podNames(): Promise<string[]> {
  const { items } = await core.listNamespacedPod({ namespace })
  return items.map(({ metadata }) => metadata?.name ?? '')
}

const progressOf = (events: readonly RunEvent[]): string[] => events.flatMap((event) => progressLine(event) ?? [])

beforeAll(async () => {
  await core.createNamespace({ body: { metadata: { name: namespace } } })
  // Somebody else's, in the same namespace, to be left alone.
  const container = { name: 'one', image: parts.image, command: ['sleep', 'infinity'] }
  const body = { metadata: { name: 'bystander' }, spec: { containers: [container], terminationGracePeriodSeconds: 0 } }
  await core.createNamespacedPod({ namespace, body })
})
afterAll(() => core.deleteNamespace({ name: namespace }))

describe('deploying', () => {
  test.each([
    ['other-node', false],
    ['same-node', true],
    ['host-network', false],
  ] as const)('%s: the pods lie so, are fresh each time, and are read from the cluster', async (variant, same) => {
    const before = await readWorkload(parts, forever)
    const made = await deployWorkload(parts, pair, variant, note())
    expect(made.variant).toBe(variant)
    expect(pairOf(made).client.node === pairOf(made).server.node).toBe(same)
    const read = await readWorkload(partsOf(createCluster(clusterConfig()), namespace), forever)
    expect(read?.placement).toEqual(made)
    expect(read?.pods.get('client')?.uid).not.toBe(before?.pods.get('client')?.uid)
    expect(await podNames()).toEqual(['bystander', 'netperf-client', 'netperf-server'])
  })

  test('another pod can’t reach them, nor they it, and they end by themselves', async () => {
    const made = await deployWorkload(parts, pair, 'other-node', note())
    const { server } = pairOf(made)
    const bystander = await core.readNamespacedPod({ namespace, name: 'bystander' })
    const at = { namespace, pod: 'bystander', container: 'one', uid: bystander.metadata?.uid ?? '' }
    const reaches = async (): Promise<boolean[]> => {
      const asked = [server.addresses.ipv4, server.addresses.ipv6].map(async (address) => {
        const argv = ['timeout', '3', 'netperf', '-P', '0', '-H', address ?? '', '-t', 'TCP_RR', '-l', '-1']
        return (await ran(execIn(parts.cluster, at, argv, { signal: forever, deadlineMs: 10_000 }))).exit.code === 0
      })
      return Promise.all(asked)
    }
    expect(await reaches()).toEqual([false, false])
    // The network policy alone keeps the bystander out.
    await parts.cluster.networking.deleteNamespacedNetworkPolicy({ namespace, name: 'netperf' })
    await expect.poll(reaches).toEqual([true, true])
    const own = await core.readNamespacedPod({ namespace, name: server.name })
    expect(own.spec?.activeDeadlineSeconds).toBe(parts.podSeconds)
  })

  test('an image that no node has is reported in the kubelet’s words, and no pod is left', async () => {
    const context = note()
    // No registry listens on port 1: the kubelet need not wait for an answer.
    const wrong = { ...parts, image: '127.0.0.1:1/no/such:image' }
    await expect(deployWorkload(wrong, pair, 'other-node', context)).rejects.toMatchObject({
      code: 'workload_not_ready',
      detail: expect.stringMatching(/(ErrImagePull|ImagePullBackOff): .*127\.0\.0\.1:1\/no\/such:image/),
      remedy: expect.stringContaining('EXPRESSLANE_NETPERF_IMAGE'),
    })
    expect(progressOf(context.events).join('\n')).toMatch(/netperf-server: .*127\.0\.0\.1:1\/no\/such:image/)
    expect(await podNames()).toEqual(['bystander'])
  })

  test('a cluster without a second node for it is reported in the scheduler’s words', async () => {
    const nodes = (await core.listNode()).items.filter(({ spec }) => spec?.taints === undefined)
    const [first, ...rest] = nodes.map(({ metadata }) => metadata?.name ?? '')
    expect(rest.length).toBeGreaterThan(0)
    // A pod on each other node, with the labels of the client's anti-affinity, so that the client has no node.
    const labels = { 'app.kubernetes.io/name': 'netperf', 'app.kubernetes.io/component': 'server' }
    for (const nodeName of [first ?? '', ...rest]) {
      const container = { name: 'one', image: parts.image, command: ['sleep', 'infinity'] }
      const spec = { nodeName, containers: [container], terminationGracePeriodSeconds: 0 }
      await core.createNamespacedPod({ namespace, body: { metadata: { name: `on-${nodeName}`, labels }, spec } })
    }
    const context = note()
    await expect(deployWorkload(parts, pair, 'other-node', context)).rejects.toMatchObject({
      code: 'workload_not_ready',
      message: expect.stringContaining('netperf-client'),
      detail: expect.stringMatching(/^Unschedulable: 0\/\d+ nodes are available: .*anti-affinity/),
      remedy: expect.stringContaining('two different nodes'),
    })
    expect(progressOf(context.events).join('\n')).toMatch(/netperf-client: Unschedulable: 0\/\d+ nodes are available/)
    for (const nodeName of [first ?? '', ...rest]) await core.deleteNamespacedPod({ name: `on-${nodeName}`, namespace })
    expect(await podNames()).toEqual(['bystander'])
  })

  test('a pod with the same name that is not ours blocks the deploy, and is kept', async () => {
    const container = { name: 'one', image: parts.image, command: ['sleep', 'infinity'] }
    const spec = { containers: [container], terminationGracePeriodSeconds: 0 }
    await core.createNamespacedPod({ namespace, body: { metadata: { name: 'netperf-client' }, spec } })
    await expect(deployWorkload(parts, pair, 'other-node', note())).rejects.toMatchObject({
      code: 'workload_not_ready',
      remedyCommand: `kubectl -n ${namespace} delete pod netperf-client`,
    })
    expect(await podNames()).toEqual(['bystander', 'netperf-client'])
    await core.deleteNamespacedPod({ name: 'netperf-client', namespace })
  })

  test.each(['command.started', 'progress'] as const)('cancelled at its first %s, it leaves no pods', async (type) => {
    const abort = new AbortController()
    const context = {
      signal: abort.signal,
      emit: (event: RunEvent) => {
        if (event.type === type) abort.abort(new Error('stop the deploy'))
      },
    }
    await expect(deployWorkload(parts, pair, 'other-node', context)).rejects.toThrow('stop the deploy')
    expect(await podNames()).toEqual(['bystander'])
  })

  test('continues when every connection to the API server breaks', async () => {
    const proxy = await startApiProxy(clusterConfig())
    let cut = false
    const context = {
      signal: forever,
      emit: (event: RunEvent) => {
        if (event.type !== 'progress' || cut) return
        cut = true
        proxy.cut()
      },
    }
    const through = partsOf(createCluster(proxy.config), namespace)
    const made = await deployWorkload(through, pair, 'other-node', context)
    expect(cut).toBe(true)
    expect((await readWorkload(parts, forever))?.placement).toEqual(made)
    await proxy.close()
  })
})

describe('removing', () => {
  test('removes the pods, their policy and nothing else, and does nothing without pods', async () => {
    await deployWorkload(parts, pair, 'other-node', note())
    await removeWorkload(parts, note())
    expect(await podNames()).toEqual(['bystander'])
    expect((await parts.cluster.networking.listNamespacedNetworkPolicy({ namespace })).items).toEqual([])
    expect(await readWorkload(parts, forever)).toBeNull()
    const context = note()
    await removeWorkload(parts, context)
    expect(context.events).toEqual([])
  })

  test('does nothing without a namespace', async () => {
    const nowhere = realParts('expresslane-nowhere')
    await removeWorkload(nowhere, note())
    expect(await readWorkload(nowhere, forever)).toBeNull()
  })
})

test('a pod that is removed ends the commands that wait for it', async () => {
  await deployWorkload(parts, pair, 'other-node', note())
  const workload = await readWorkload(parts, forever)
  if (workload === null) throw new Error('the workload is not there')
  const gone = untilGone(parts, [podIn(workload, 'client'), podIn(workload, 'server')], forever)
  expect(await Promise.race([gone, delay(500, 'still there')])).toBe('still there')
  await core.deleteNamespacedPod({ name: 'netperf-server', namespace })
  expect(await gone).toMatchObject({ code: 'testbed_gone', message: expect.stringContaining('netperf-server') })
})
