import { readFileSync } from 'node:fs'
import type { PlacementVariant } from '@expresslane/shared/testbed/placement'
import { describe, expect, test } from 'vitest'
import {
  policyFor,
  readCapturePod,
  readManifest,
  readExposedManifest,
  typedApply,
} from '../../../../src/testbeds/kubernetes/workload/manifest.ts'
import {
  isOurs,
  podProgress,
  workloadOf,
  workloadPod,
  type WorkloadPod,
} from '../../../../src/testbeds/kubernetes/workload/pods.ts'
import { stillRuns } from '../../../../src/testbeds/kubernetes/exec/reap.ts'
import { pairOf } from '../../../support/runs/pair.ts'

function read(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../../fixtures/kubernetes/pods/${name}.json`, import.meta.url), 'utf8'))
}

const recorded = (name: string): WorkloadPod => workloadPod.parse(read(name))

describe('a backend behind a NodePort', () => {
  const addresses = { ipv4: '172.30.0.12', ipv6: null }
  const entry = { role: 'entry', name: 'NodePort', node: 'kind-worker2', addresses }

  test('keeps off the node that is called, and its service belongs to it', async () => {
    const manifest = await readExposedManifest(entry, { namespace: 'some', image: 'an/image:1', podSeconds: 600 })
    const [pod] = manifest.pods
    expect(JSON.stringify(pod?.spec?.affinity)).toContain('"operator":"NotIn","values":["kind-worker2"]')
    expect(pod?.spec).toMatchObject({ activeDeadlineSeconds: 600, containers: [{ image: 'an/image:1' }] })
    expect([manifest.namespace.metadata?.name, pod?.metadata?.namespace, manifest.policy.metadata.namespace]).toEqual(
      Array(3).fill('some'),
    )
    expect(manifest.serviceOf('an-uid').metadata).toMatchObject({
      namespace: 'some',
      ownerReferences: [{ kind: 'Pod', name: 'nodeport-backend', uid: 'an-uid' }],
    })
  })

  test('is the workload, with the node that it was made for', async () => {
    const { pods } = await readExposedManifest(entry, { namespace: 'some', image: 'an/image:1', podSeconds: 600 })
    const ready = recorded('ready')
    const { labels, annotations } = workloadPod.shape.metadata
      .pick({ labels: true, annotations: true })
      .parse(pods[0]?.metadata)
    const backend: WorkloadPod = {
      ...ready,
      metadata: { ...ready.metadata, name: 'nodeport-backend', labels, annotations },
    }
    const placed = workloadOf([backend])
    expect(placed?.placement.variant).toBe('other-node')
    expect(placed?.placement.pods.map(({ role, node }) => [role, node])).toEqual([
      ['entry', 'kind-worker2'],
      ['backend', ready.spec.nodeName],
    ])
    expect(placed?.placement.pods[0]?.addresses).toEqual(addresses)
    expect([...(placed?.pods.keys() ?? [])]).toEqual(['backend'])
  })
})

describe('the progress of a pod, on recorded pods', () => {
  test.each([
    ['ready', { is: 'ready' }],
    ['ending', { is: 'ending' }],
    ['new', { is: 'waiting', why: 'waiting for the scheduler' }],
    ['creating', { is: 'waiting', why: 'ContainerCreating' }],
    ['not-ready', { is: 'waiting', why: 'ContainersNotReady: containers with unready status: [netperf]' }],
  ])('%s', (name, progress) => {
    expect(podProgress(recorded(name))).toEqual(progress)
  })

  test.each([
    ['unschedulable', 'schedule', /^Unschedulable: 0\/3 nodes are available: /, 12_000],
    ['never-pulled', 'image', /^ErrImageNeverPull: Container image "no.invalid\/such:image" is not present/, 0],
    ['pull-refused', 'image', /^ImagePullBackOff: Back-off pulling image "no.invalid\/such:image"/, 11_000],
    ['bad-name', 'image', /^InvalidImageName: Failed to apply default image tag "Not An Image"/, 0],
    ['no-configuration', 'configuration', /^CreateContainerConfigError: configmap "missing" not found$/, 0],
    // The kubelet's own words do not hold what the program said last.
    ['crashes', 'crash', /^CrashLoopBackOff: back-off .*: Error: netserver: no$/, 0],
  ])('%s is stuck, with the cluster’s own words', (name, cause, why, afterMs) => {
    expect(podProgress(recorded(name))).toEqual({ is: 'stuck', cause, afterMs, why: expect.stringMatching(why) })
  })

  test.each([
    'failed to resolve reference "docker.io/such/image:1": pull access denied, repository does not exist',
    'failed to resolve reference "docker.io/library/busybox:no": docker.io/library/busybox:no: not found',
    'dial tcp: lookup registry.invalid on 10.96.0.10:53: no such host',
  ])('an image that no retry brings is given up at once: %s', (message) => {
    const pod = recorded('pull-refused')
    const status = { ...pod.status, containerStatuses: [{ state: { waiting: { reason: 'ErrImagePull', message } } }] }
    expect(podProgress({ ...pod, status })).toMatchObject({ is: 'stuck', cause: 'image', afterMs: 0 })
  })

  test('an evicted pod is stuck', () => {
    const pod = recorded('ready')
    const status = { ...pod.status, phase: 'Failed', reason: 'Evicted', message: 'The node was low on memory.' }
    expect(podProgress({ ...pod, status })).toMatchObject({
      is: 'stuck',
      cause: 'crash',
      why: 'Evicted: The node was low on memory.',
    })
  })
})

describe('the workload, on recorded pods', () => {
  const pair = (): WorkloadPod[] => workloadPod.array().parse(read('pair'))
  const changed = (role: string, change: (pod: WorkloadPod) => WorkloadPod): WorkloadPod[] =>
    pair().map((pod) => (pod.metadata.labels['app.kubernetes.io/component'] === role ? change(pod) : pod))

  test('has both pods, their nodes, addresses of both families, and when the later one was made', () => {
    const pods = pair().filter(isOurs)
    const workload = workloadOf(pods)
    const [client, server] = ['client', 'server'].map((role) =>
      pods.find(({ metadata }) => metadata.name === `netperf-${role}`),
    )
    expect(workload).toMatchObject({
      placement: {
        madeAt: Math.max(...pods.map(({ metadata }) => metadata.creationTimestamp.getTime())),
        variant: 'other-node',
        pods: [
          { role: 'client', name: 'netperf-client', node: client?.spec.nodeName },
          { role: 'server', name: 'netperf-server', node: server?.spec.nodeName },
        ],
      },
    })
    const refs = [...(workload?.pods ?? [])].map(([role, { uid, container }]) => [role, uid, container])
    expect(refs).toEqual([
      ['client', client?.metadata.uid, 'netperf'],
      ['server', server?.metadata.uid, 'netperf'],
    ])
    expect(pairOf(workload?.placement ?? null).server.addresses).toEqual({
      ipv4: expect.stringMatching(/^10\.244\./),
      ipv6: expect.stringMatching(/^fd00:10:244:/),
    })
  })

  test('derives the placement from their nodes', () => {
    const onOne = pair().map((pod) => ({ ...pod, spec: { ...pod.spec, nodeName: 'one' } }))
    expect(workloadOf(onOne)?.placement.variant).toBe('same-node')
    const onHosts = pair().map((pod) => ({ ...pod, spec: { ...pod.spec, hostNetwork: true } }))
    expect(workloadOf(onHosts)?.placement.variant).toBe('host-network')
  })

  test('is kept while its nodes do not respond', () => {
    // The control plane then writes Ready alone, and no reason.
    const unheard = pair().map((pod) => {
      const conditions = pod.status.conditions.map((one) => (one.type === 'Ready' ? { ...one, status: 'False' } : one))
      return { ...pod, status: { ...pod.status, conditions } }
    })
    expect(unheard.filter(isOurs).map((pod) => podProgress(pod).is)).toEqual(['waiting', 'waiting'])
    expect(workloadOf(unheard)).toEqual(workloadOf(pair()))
  })

  test.each<[string, () => WorkloadPod[]]>([
    ['one is missing', () => pair().slice(0, 1)],
    ['one is not ready', () => changed('server', (pod) => ({ ...pod, status: recorded('not-ready').status }))],
    [
      'one is on its way out',
      () => changed('client', (pod) => ({ ...pod, metadata: { ...pod.metadata, deletionTimestamp: new Date() } })),
    ],
    [
      'one is somebody else’s',
      () => changed('client', (pod) => ({ ...pod, metadata: { ...pod.metadata, labels: {} } })),
    ],
    ['there are two servers', () => [...pair(), ...pair()]],
  ])('is not there while %s', (_, pods) => {
    expect(workloadOf(pair())).not.toBeNull()
    expect(workloadOf(pods())).toBeNull()
  })
})

describe('the manifest', () => {
  const manifest = (variant: PlacementVariant) =>
    readManifest({ namespace: 'some', image: 'an/image:1', variant, podSeconds: 600 })

  test('has the namespace and the image, and is shown as it is applied', async () => {
    const { namespace, policy, pods } = await manifest('other-node')
    expect(namespace.metadata?.name).toBe('some')
    expect(pods.map(({ metadata, spec }) => [metadata?.name, metadata?.namespace, spec?.containers[0]?.image])).toEqual(
      [
        ['netperf-server', 'some', 'an/image:1'],
        ['netperf-client', 'some', 'an/image:1'],
      ],
    )
    expect(typedApply([namespace, ...pods])).toContain('image: an/image:1')
    expect(policy.metadata).toMatchObject({ name: 'netperf', namespace: 'some' })
    expect(pods.map(({ spec }) => spec?.activeDeadlineSeconds)).toEqual([600, 600])
  })

  test('of a bare image has room for the programs, and starts netserver once they are there', async () => {
    const options = { namespace: 'some', image: 'busybox', isBare: true, podSeconds: 600 }
    const { pods } = await readManifest({ ...options, variant: 'other-node' })
    for (const { spec } of pods) {
      expect(spec).toMatchObject({
        nodeSelector: { 'kubernetes.io/arch': expect.stringMatching(/^\w+$/) },
        volumes: [{ emptyDir: {} }],
        containers: [
          {
            volumeMounts: [{ mountPath: '/tools' }],
            env: [{ name: 'PATH', value: expect.stringMatching(/^\/tools\/bin:/) }],
          },
        ],
      })
    }
    const [server, client] = pods.map(({ spec }) => spec?.containers[0]?.command ?? [])
    expect(server?.slice(0, 2)).toEqual(['sh', '-c'])
    expect(server?.slice(-3)).toEqual(['netserver', '-D', '-N'])
    expect(client).toEqual(['sleep', 'infinity'])
    const capture = await readCapturePod({ ...options, name: 'one', node: 'kind-worker' })
    expect(capture.spec).toMatchObject({ nodeName: 'kind-worker', volumes: [{ emptyDir: {} }] })
    expect(capture.spec?.nodeSelector).toBeUndefined()
  })

  test('lets the pods talk to each other, and to nobody else', async () => {
    const { policy, pods } = await manifest('other-node')
    const both = policy.spec.podSelector.matchLabels
    for (const { metadata } of pods) expect(metadata?.labels).toMatchObject(both)
    expect(policy.spec).toMatchObject({
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ from: [{ podSelector: { matchLabels: both } }] }],
      egress: [{ to: [{ podSelector: { matchLabels: both } }] }],
    })
    const peers = [
      { podSelector: { matchLabels: both } },
      { ipBlock: { cidr: '10.0.0.7/32' } },
      { ipBlock: { cidr: 'fd00::7/128' } },
    ]
    const placed = policyFor(policy, ['10.0.0.7', 'fd00::7'])
    expect(placed.spec).toMatchObject({ ingress: [{ from: peers }], egress: [{ to: peers }] })
  })

  test('places the client on another node, on the server’s node, and on the host network', async () => {
    const [other, same, host] = await Promise.all(
      (['other-node', 'same-node', 'host-network'] as const).map(
        async (variant) => (await manifest(variant)).pods[1]?.spec,
      ),
    )
    const term = 'requiredDuringSchedulingIgnoredDuringExecution'
    expect(other?.affinity?.podAntiAffinity?.[term]).toHaveLength(1)
    expect(same?.affinity).toEqual({ podAffinity: other?.affinity?.podAntiAffinity })
    expect(host).toMatchObject({ affinity: other?.affinity, hostNetwork: true, dnsPolicy: 'ClusterFirstWithHostNet' })
    expect(other?.hostNetwork).toBeUndefined()
  })
})

describe('the process that started a command still runs', () => {
  const self = 'here.100.aaaa'
  test.each([
    ['itself', self, [], true],
    ['another process of this machine that is there', 'here.200.bbbb', [200], true],
    ['another process of this machine that is gone', 'here.200.bbbb', [], false],
    ['an earlier process with its own id', 'here.100.cccc', [100], false],
    ['a process of another machine', 'there.200.dddd', [200], false],
  ])('%s', (_, owner, running, expected) => {
    expect(stillRuns(owner, self, (pid) => running.includes(pid))).toBe(expected)
  })
})
