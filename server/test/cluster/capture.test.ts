/** Packets on a node's device are seen, and the pod that sees them goes with the command, however that ends. */
import type { RunEvent } from '@expresslane/shared/run/events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCluster } from '../../src/testbeds/kubernetes/api/cluster.ts'
import { Http1KubeConfig } from '../../src/testbeds/kubernetes/api/kubeconfig.ts'
import { captureOn } from '../../src/testbeds/kubernetes/workload/capture.ts'
import { deployWorkload, readWorkload, removeWorkload } from '../../src/testbeds/kubernetes/workload/workload.ts'
import { type PlacedWorkload, podIn } from '../../src/testbeds/kubernetes/workload/pods.ts'
import { note } from '../contract/contract-kit.ts'
import { kubectl, podsOf } from './support/kubectl.ts'
import { partsOf, ran, realParts } from './support/parts.ts'
import { account, grant, NAME, removeGrants } from './support/rights.ts'
import { pair, pairOf } from '../support/runs/pair.ts'

const namespace = 'expresslane-capture'
const parts = realParts(namespace)
const { core } = parts.cluster
const forever = new AbortController().signal
const deadlineMs = 60_000
const podNames = ['netperf-client', 'netperf-server']
const tcpdump = ['tcpdump', '-nn', '-l', '-i', 'eth0']

let workload: PlacedWorkload
beforeAll(async () => {
  await deployWorkload(parts, pair, 'other-node', note())
  const made = await readWorkload(parts, forever)
  if (made === null) throw new Error('the workload is not there')
  workload = made
})
afterAll(async () => {
  await core.deleteNamespace({ name: namespace })
  await removeGrants()
})

const names = async (): Promise<string[]> => [...(await podsOf(namespace)).keys()]
const typedOf = (events: readonly RunEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'command.started' ? [event.typed] : []))

describe('a capture on a node', () => {
  test('captures the packets between the pods as tcpdump prints them, and shows its commands', async () => {
    const { client, server } = pairOf(workload.placement)
    const context = note()
    const from = client.addresses.ipv4 ?? ''
    const to = server.addresses.ipv4 ?? ''
    const argv = [...tcpdump, '-c', '4', 'tcp', 'and', 'host', from, 'and', 'host', to]
    const seen: string[] = []
    for await (const item of captureOn(parts, { node: server.node, argv, deadlineMs }, context)) {
      if (item.type === 'line' && item.stream === 'stdout') seen.push(item.text)
      if (item.type === 'line' && item.text.startsWith('listening on eth0')) {
        const request = ['netperf', '-P', '0', '-H', to, '-t', 'TCP_RR', '-l', '-1']
        await parts.console.run({ at: podIn(workload, 'client'), argv: request }, note())
      }
      if (item.type === 'exit') expect(item.code).toBe(0)
    }
    expect(seen.filter((line) => line.includes(`IP ${from}.`) || line.includes(`IP ${to}.`))).toHaveLength(4)
    expect(await names()).toEqual(podNames)
    const typed = typedOf(context.events)
    expect(typed).toHaveLength(4)
    expect(typed[0]).toMatch(/^kubectl apply [^]*nodeName: \S+[^]*NET_RAW/)
    const [, made = ''] = /name: (netperf-capture-\w+)/.exec(typed[0] ?? '') ?? []
    expect(typed[1]).toContain(`wait --for=condition=Ready pod ${made}`)
    expect(typed[2]).toBe(`kubectl -n ${namespace} exec ${made} -c netperf -- ${argv.join(' ')}`)
    expect(typed[3]).toBe(`kubectl -n ${namespace} delete pod ${made}`)
  })

  test.each(['left early', 'cancelled'] as const)('%s, it is gone with its pod', async (how) => {
    const abort = new AbortController()
    const capture = captureOn(
      parts,
      { node: podIn(workload, 'client').node, argv: [...tcpdump, 'tcp', 'port', '1'], deadlineMs },
      note(abort.signal),
    )
    expect((await capture.next()).done).toBe(false)
    expect(await names()).toHaveLength(3)
    if (how === 'left early') await capture.return()
    else {
      abort.abort(new Error('seen enough'))
      await expect(async () => {
        for await (const _ of capture) continue
      }).rejects.toThrow('seen enough')
    }
    expect(await names()).toEqual(podNames)
    const [agent = ''] = (
      await kubectl(
        '-n',
        'kube-system',
        'get',
        'pods',
        '-l',
        'k8s-app=cilium',
        '-o',
        'name',
        `--field-selector=spec.nodeName=${podIn(workload, 'client').node}`,
      )
    ).split('\n')
    // The agent is in the node's network: a packet socket that is left open would be seen there.
    const sockets = await kubectl(
      '-n',
      'kube-system',
      'exec',
      agent,
      '-c',
      'cilium-agent',
      '--',
      'cat',
      '/proc/net/packet',
    )
    expect(sockets.trim().split('\n')).toHaveLength(1)
  })

  test('a program that the image lacks is named, and no pod is left', async () => {
    const capture = captureOn(
      parts,
      { node: podIn(workload, 'client').node, argv: ['no-such-program'], deadlineMs },
      note(),
    )
    await expect(ran(capture)).rejects.toMatchObject({
      code: 'tool_missing',
      message: expect.stringContaining('no-such-program'),
    })
    expect(await names()).toEqual(podNames)
  })

  test('an image that the node does not accept is reported in the kubelet’s words, and no pod is left', async () => {
    const wrong = { ...parts, image: 'Not An Image' }
    const capture = captureOn(wrong, { node: podIn(workload, 'client').node, argv: tcpdump, deadlineMs }, note())
    await expect(ran(capture)).rejects.toMatchObject({
      code: 'workload_not_ready',
      detail: expect.stringMatching(/^InvalidImageName: .*Not An Image/),
    })
    expect(await names()).toEqual(podNames)
  })

  test('a refusal by Pod Security is reported with the command that allows it', async () => {
    const enforce = 'pod-security.kubernetes.io/enforce'
    await kubectl('label', 'namespace', namespace, `${enforce}=restricted`, '--overwrite')
    const capture = captureOn(parts, { node: podIn(workload, 'client').node, argv: tcpdump, deadlineMs }, note())
    await expect(ran(capture)).rejects.toMatchObject({
      code: 'workload_not_ready',
      detail: expect.stringContaining('violates PodSecurity'),
      remedyCommand: `kubectl label namespace ${namespace} ${enforce}=privileged --overwrite`,
    })
    await kubectl('label', 'namespace', namespace, `${enforce}-`)
    expect(await names()).toEqual(podNames)
  })

  test('is refused without a deployed workload', async () => {
    const nowhere = realParts('expresslane-nowhere')
    const capture = captureOn(nowhere, { node: podIn(workload, 'client').node, argv: tcpdump, deadlineMs }, note())
    await expect(ran(capture)).rejects.toMatchObject({ code: 'step_not_ready' })
  })
})

test('leftovers of a capture are removed with the workload', async () => {
  const running = Promise.withResolvers<void>()
  const context = {
    signal: forever,
    emit: (event: RunEvent) => {
      if (event.type === 'command.started' && event.typed.includes('exec')) running.resolve()
    },
  }
  const capture = captureOn(
    parts,
    { node: podIn(workload, 'client').node, argv: ['sleep', '1000'], deadlineMs },
    context,
  )
  const over = ran(capture).catch((error: unknown) => error)
  await running.promise
  expect(await names()).toHaveLength(3)
  await removeWorkload(parts, note())
  expect(await names()).toEqual([])
  expect(await over).toMatchObject({ code: 'testbed_gone' })
})

test('the rights of manifests/rbac.yaml are enough for it', async () => {
  await grant()
  const config = new Http1KubeConfig()
  config.loadFromString(JSON.stringify(await account()))
  const own = partsOf(createCluster(config), NAME)
  const argv = ['tcpdump', '--version']
  const { exit } = await ran(captureOn(own, { node: podIn(workload, 'client').node, argv, deadlineMs }, note()))
  expect(exit.code).toBe(0)
  expect((await podsOf(NAME)).size).toBe(0)
})
