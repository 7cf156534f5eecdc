/** Pods of a bare image: the labs' programs come from this machine. */
import type { RunEvent } from '@expresslane/shared/run/events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { ciliumKeys, clusterChecks } from '../../src/features/registry.ts'
import { createCluster } from '../../src/testbeds/kubernetes/api/cluster.ts'
import { listContexts } from '../../src/testbeds/kubernetes/api/contexts.ts'
import { Http1KubeConfig } from '../../src/testbeds/kubernetes/api/kubeconfig.ts'
import { createKubernetesTestbed } from '../../src/testbeds/kubernetes/index.ts'
import { createPodPrograms } from '../../src/testbeds/kubernetes/programs/pod-programs.ts'
import { captureOn } from '../../src/testbeds/kubernetes/workload/capture.ts'
import { podIn, type PlacedWorkload } from '../../src/testbeds/kubernetes/workload/pods.ts'
import { tryImage } from '../../src/testbeds/kubernetes/workload/trial.ts'
import {
  deployWorkload,
  readWorkload,
  removeWorkload,
  type WorkloadParts,
} from '../../src/testbeds/kubernetes/workload/workload.ts'
import { createThisMachine } from '../../src/testbeds/netns/this-machine/index.ts'
import { note } from '../contract/contract-kit.ts'
import { pair, pairOf } from '../support/runs/pair.ts'
import { apply, kubectl, podsOf, removeNamespace } from './support/kubectl.ts'
import { partsOf, realParts } from './support/parts.ts'
import { account, grant, NAME, removeGrants } from './support/rights.ts'

const namespace = 'expresslane-any'
const enforce = 'pod-security.kubernetes.io/enforce'
const bare = readConfig({ EXPRESSLANE_BASE_IMAGE: process.env['E2E_BASE_IMAGE'] }).kubernetes
const machine = createThisMachine()
const given = realParts(namespace)
const programs = createPodPrograms(given.cluster, given.console, machine)
const parts: WorkloadParts = { ...given, image: bare.image, programs }
const forever = new AbortController().signal

const typedOf = (events: readonly RunEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'command.started' ? [event.typed] : []))
const transfers = (events: readonly RunEvent[]): string[] => typedOf(events).filter((typed) => typed.includes('tar -x'))

async function placed(): Promise<PlacedWorkload> {
  const workload = await readWorkload(parts, forever)
  if (workload === null) throw new Error('the workload is not there')
  return workload
}

beforeAll(async () => {
  const metadata = { name: namespace, labels: { [enforce]: 'restricted' } }
  await apply({ apiVersion: 'v1', kind: 'Namespace', metadata })
})
afterAll(async () => {
  await removeNamespace(namespace)
  await removeGrants()
})

describe('pods of a bare image', () => {
  test('measure with this machine’s programs, where Pod Security is at its strictest', async () => {
    const context = note()
    const placement = await deployWorkload(parts, pair, 'other-node', context)
    const { client, server } = pairOf(placement)
    expect(client.node).not.toBe(server.node)
    expect(transfers(context.events)).toHaveLength(2)
    const at = podIn(await placed(), 'client')
    for (const address of [server.addresses.ipv4, server.addresses.ipv6]) {
      const argv = ['netperf', '-P', '0', '-H', address ?? '', '-t', 'TCP_RR', '-l', '1']
      const [line = ''] = (await parts.console.run({ at, argv }, note())).filter((one) => /\d/.test(one))
      expect(Number(line.trim().split(/\s+/)[5])).toBeGreaterThan(100)
    }
    const serve = { at: podIn(await placed(), 'server'), argv: ['iperf3', '-s', '-1', '--forceflush'] }
    for await (const item of parts.console.stream(serve, note())) {
      if (item.type === 'exit') expect(item.code).toBe(0)
      else if (item.text.includes('Server listening')) {
        const argv = ['iperf3', '-c', server.addresses.ipv4 ?? '', '-t', '1', '-J']
        expect((await parts.console.run({ at, argv }, note())).join('')).toContain('"bits_per_second"')
      }
    }
    const links = JSON.parse((await parts.console.run({ at, argv: ['ip', '-j', 'link'] }, note())).join('')) as object[]
    expect(links.length).toBeGreaterThan(1)
  })

  test('get them once: another server finds them there', async () => {
    const context = note()
    const others = createPodPrograms(parts.cluster, parts.console, machine)
    for (const at of (await placed()).pods.values()) await others.ensure(at, context)
    expect(transfers(context.events)).toEqual([])
  })

  test('capture packets, and are removed', async () => {
    await kubectl('label', 'namespace', namespace, `${enforce}=privileged`, '--overwrite')
    const { placement, pods } = await placed()
    const { client, server } = pairOf(placement)
    const filter = ['-c', '2', 'host', client.addresses.ipv4 ?? '', 'and', 'tcp', 'port', '12865']
    const argv = ['tcpdump', '-n', '-l', '-i', 'eth0', ...filter]
    const at = pods.get('client')
    for await (const item of captureOn(parts, { node: server.node, argv, deadlineMs: 60_000 }, note())) {
      if (item.type === 'line' && item.text.startsWith('listening on') && at !== undefined) {
        const request = ['netperf', '-P', '0', '-H', server.addresses.ipv4 ?? '', '-t', 'TCP_RR', '-l', '-1']
        await parts.console.run({ at, argv: request }, note())
      }
      if (item.type === 'exit') expect(item.code).toBe(0)
    }
    expect([...(await podsOf(namespace)).keys()]).toEqual(['netperf-client', 'netperf-server'])
    await removeWorkload(parts, note())
    expect((await podsOf(namespace)).size).toBe(0)
  })
})

test('the rights of manifests/rbac.yaml are enough for them', async () => {
  await grant()
  const config = new Http1KubeConfig()
  config.loadFromString(JSON.stringify(await account()))
  const own = partsOf(createCluster(config), NAME)
  const bareOnes = { ...own, image: bare.image, programs: createPodPrograms(own.cluster, own.console, machine) }
  await tryImage(bareOnes, ['kind-worker'], note())
  await deployWorkload(bareOnes, pair, 'same-node', note())
  await removeWorkload(bareOnes, note())
  expect((await podsOf(NAME)).size).toBe(0)
})

describe('before anything is deployed', () => {
  const nodes = async (): Promise<string[]> => {
    const { items } = await parts.cluster.core.listNode()
    return items.filter(({ spec }) => spec?.taints === undefined).map(({ metadata }) => metadata?.name ?? '')
  }

  test.each([
    [
      'of a registry that does not answer',
      '127.0.0.1:1/no/such:image',
      /^(ErrImagePull|ImagePullBackOff): .*127\.0\.0\.1:1/,
    ],
    ['with a name that is none', 'Not An Image', /^InvalidImageName: .*Not An Image/],
  ])('an image %s is reported in the kubelet’s words, and no pod is left', async (_, image, words) => {
    await expect(tryImage({ ...parts, image }, await nodes(), note())).rejects.toMatchObject({
      code: 'workload_not_ready',
      message: expect.stringContaining('Node kind-worker'),
      detail: expect.stringMatching(words),
      remedy: expect.stringContaining('EXPRESSLANE_BASE_IMAGE'),
    })
    expect((await podsOf(namespace)).size).toBe(0)
  })

  test('an image that the nodes can start passes, and no pod is left', async () => {
    await tryImage(parts, await nodes(), note())
    expect((await podsOf(namespace)).size).toBe(0)
  })

  test.each([
    [bare.image, 'passed'],
    ['127.0.0.1:1/no/such:image', 'failed'],
  ])('preflight of a lab: the image %s %s', async (image, status) => {
    const env = { ...process.env, KUBECONFIG: process.env['E2E_KUBECONFIG'] }
    const context = listContexts(env).find(({ current }) => current)?.name ?? null
    const options = { env, context, namespace, image, machine, podSeconds: 600, keys: ciliumKeys() }
    const testbed = createKubernetesTestbed({ ...options, checks: clusterChecks() })
    const found = new Map<string, unknown>()
    for await (const check of testbed.preflight(note(), true)) found.set(check.id, check)
    await testbed.close()
    expect(found.get('image')).toMatchObject({ status, seen: expect.stringContaining(image) })
    expect((await podsOf(namespace)).size).toBe(0)
  })
})
