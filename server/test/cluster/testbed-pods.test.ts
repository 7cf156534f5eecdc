/** The counted machine in pods: the netns testbed's contract, and pods that end. */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { formatTestbedId, type TestbedId } from '@expresslane/shared/testbed/id'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import type { Place } from '../../src/testbeds/agent/place.ts'
import { createCluster } from '../../src/testbeds/kubernetes/api/cluster.ts'
import { createPodMachine } from '../../src/testbeds/kubernetes/testbed-pods/machine.ts'
import { TESTBED } from '../../src/testbeds/kubernetes/testbed-pods/pod-state.ts'
import { digestOf } from '../../src/testbeds/kubernetes/testbed-pods/pod-api.ts'
import { createTestbedPods } from '../../src/testbeds/kubernetes/testbed-pods/pods.ts'
import type { Testbed } from '../../src/testbeds/testbed.ts'
import { testbedContract } from '../contract/testbed-contract.ts'
import { netnsTestbed } from '../support/netns.ts'
import { apply, kubectl, podsOf, removeNamespace } from './support/kubectl.ts'
import { clusterConfig } from './support/parts.ts'
import { startApiProxy } from './support/api-proxy.ts'

const image = process.env['E2E_APP_IMAGE'] ?? ''
const namespace = 'expresslane-testbeds'
const options = { namespace, readyMs: 120_000, connectMs: 60_000, unusedMs: 1, foundUnusedMs: 1 }
const pods = createTestbedPods({ ...options, cluster: createCluster(clusterConfig()) })

const idOf = (owner: string): TestbedId => formatTestbedId({ kind: 'counted', context: null, owner })
const labelOf = (owner: string): string => `${TESTBED}=${digestOf(idOf(owner))}`

function contractTestbed(): Testbed {
  return netnsTestbed({ machine: createPodMachine({ pods, testbed: idOf('contract'), kernel: null }) })
}

const idle = new AbortController().signal

/** Opens the testbed's pod. It is deleted when the test ends. */
async function open(owner: string, through = pods): Promise<Place> {
  const place = await through.open(idOf(owner), idle, () => {})
  onTestFinished(async () => {
    await place.close()
    through.leave(idOf(owner))
  })
  return place
}

/** Why the place ended. */
async function endOf({ gone }: Place): Promise<unknown> {
  if (!gone.aborted) await once(gone, 'abort')
  return gone.reason
}

/** The name of the testbed's one pod. */
async function podOf(owner: string): Promise<string> {
  const [name, ...more] = [...(await podsOf(namespace, labelOf(owner))).keys()]
  expect([name, more]).toEqual([expect.any(String), []])
  return name ?? ''
}

beforeAll(async () => {
  const text = await readFile(new URL('../../../manifests/classroom/testbeds.yaml', import.meta.url), 'utf8')
  const objects = parseAllDocuments(text.replace('image: expresslane', `image: ${image}`)).map(
    (one) => one.toJS() as object,
  )
  await apply(...objects)
})
afterAll(() => removeNamespace(namespace))

describe.skipIf(image === '')('a testbed in a pod', () => {
  testbedContract('a pod', contractTestbed)

  test('is one pod of the template, which another server finds again, and deleted when it is unused', async () => {
    const first = await open('alice')
    const pod = await podOf('alice')
    const kinds = '-o=jsonpath={.metadata.ownerReferences[*].kind}'
    expect(await kubectl('-n', namespace, 'get', 'pod', pod, kinds)).toBe('PodTemplate')
    await first.close()
    const later = createTestbedPods({ ...options, cluster: createCluster(clusterConfig()) })
    const second = await open('alice', later)
    expect(await podOf('alice')).toBe(pod)
    await second.close()
    later.leave(idOf('alice'))
    await expect.poll(() => podsOf(namespace, labelOf('alice'))).toEqual(new Map())
  })

  test('a pod that is deleted while it is in use: the place ends with the reason, and the next use has a new pod', async () => {
    const place = await open('bob')
    const pod = await podOf('bob')
    await kubectl('-n', namespace, 'delete', 'pod', pod, '--grace-period=0', '--force')
    expect(await endOf(place)).toMatchObject({
      code: 'testbed_gone',
      message: 'Your testbed’s pod was removed from the cluster.',
    })
    await open('bob')
    expect(await podOf('bob')).not.toBe(pod)
  })

  test('a pod without a node: its place in line, and the scheduler’s words', async () => {
    const impatient = createTestbedPods({ ...options, cluster: createCluster(clusterConfig()), readyMs: 5_000 })
    const patch = JSON.stringify({ template: { spec: { nodeSelector: { nowhere: 'true' } } } })
    await kubectl('-n', namespace, 'patch', 'podtemplate', 'testbed', '--type=merge', '-p', patch)
    onTestFinished(async () => {
      const back = JSON.stringify({ template: { spec: { nodeSelector: { nowhere: null } } } })
      await kubectl('-n', namespace, 'patch', 'podtemplate', 'testbed', '--type=merge', '-p', back)
      await kubectl('-n', namespace, 'delete', 'pod', '-l', labelOf('carol'), '--grace-period=0', '--force')
    })
    const said: string[] = []
    await expect(
      impatient.open(idOf('carol'), new AbortController().signal, (words) => void said.push(words)),
    ).rejects.toMatchObject({
      code: 'testbed_unavailable',
      detail: expect.stringMatching(/nodes are available|node\(s\) didn't match/),
    })
    expect(said.join('\n')).toMatch(/^Place 1 in line for a node\. .*nodes are available/m)
  })

  test('the API server’s connections are cut: the place ends with the reason, and the next use finds the same pod', async () => {
    const proxy = await startApiProxy(clusterConfig())
    onTestFinished(() => proxy.close())
    const through = createTestbedPods({ ...options, cluster: createCluster(proxy.config) })
    const place = await open('fred', through)
    const pod = await podOf('fred')
    proxy.cut()
    expect(await endOf(place)).toMatchObject({
      code: 'testbed_gone',
      message: 'The connection to your testbed’s pod ended while it was in use.',
    })
    await open('fred', through)
    expect(await podOf('fred')).toBe(pod)
  })

  test('a command in a pod reaches no API server and no other testbed', async () => {
    await Promise.all([open('dora'), open('erik')])
    const address = await kubectl('-n', namespace, 'get', 'pod', await podOf('erik'), '-o', 'jsonpath={.status.podIP}')
    // The network policy drops the packets, so `timeout` ends the attempt, and exits with 124.
    const script = (to: string): string => `exec 3<>/dev/tcp/${to}`
    const exec = ['-n', namespace, 'exec', await podOf('dora'), '--', 'timeout', '3', 'bash', '-c']
    const api = await kubectl('-n', 'default', 'get', 'service', 'kubernetes', '-o', 'jsonpath={.spec.clusterIP}')
    for (const to of [`${api}/443`, `${address}/12865`]) {
      await expect(kubectl(...exec, script(to)), to).rejects.toThrow('exit code 124')
    }
    const token = kubectl('-n', namespace, 'exec', await podOf('dora'), '--', 'ls', '/var/run/secrets/kubernetes.io')
    await expect(token).rejects.toThrow()
  })
})
