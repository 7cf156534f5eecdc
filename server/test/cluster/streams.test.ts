/** A stream takes a server and a client that run at once, each in its pod, and neither may outlive the other's end. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Placement } from '@expresslane/shared/testbed/placement'
import { note, run } from '../contract/contract-kit.ts'
import { ciliumKeys, clusterChecks } from '../../src/features/registry.ts'
import { createKubernetesTestbed } from '../../src/testbeds/kubernetes/index.ts'
import { createReaper } from '../../src/testbeds/kubernetes/exec/reap.ts'
import { readWorkload } from '../../src/testbeds/kubernetes/workload/workload.ts'
import type { Testbed } from '../../src/testbeds/testbed.ts'
import type { ExecOutput } from '../../src/testbeds/target.ts'
import { currentContext, kubectl } from './support/kubectl.ts'
import { realParts } from './support/parts.ts'
import { pair, pairOf } from '../support/runs/pair.ts'
import { podIn } from '../../src/testbeds/kubernetes/workload/pods.ts'

const namespace = 'expresslane-streams'
const parts = realParts(namespace)
const serve = ['iperf3', '--server', '--one-off', '--forceflush']

let testbed: Testbed
let placement: Placement
beforeAll(async () => {
  testbed = createKubernetesTestbed({
    env: { ...process.env, KUBECONFIG: process.env['E2E_KUBECONFIG'] },
    context: await currentContext(),
    namespace,
    image: parts.image,
    podSeconds: parts.podSeconds,
    keys: ciliumKeys(),
    checks: clusterChecks(),
  })
  placement = await testbed.deploy(pair, 'other-node', note())
})
afterAll(async () => {
  await testbed.close()
  await parts.cluster.core.deleteNamespace({ name: namespace })
})

function connect(seconds: number): string[] {
  return ['iperf3', '--client', pairOf(placement).server.addresses.ipv4 ?? '', '--time', `${seconds}`, '--forceflush']
}

/** The iperf3 of both pods, asked for past the testbed. */
async function left(): Promise<string[]> {
  const listed = ['netperf-server', 'netperf-client'].map((pod) =>
    kubectl('-n', namespace, 'exec', pod, '--', 'ps', '-o', 'args'),
  )
  const lines = (await Promise.all(listed)).flatMap((text) => text.split('\n'))
  return lines.filter((line) => /^\S*iperf3\b/.test(line.trim()))
}

/** Reads on until a line says it, and leaves the command running. */
async function untilSays(output: AsyncGenerator<ExecOutput, void, void>, words: string): Promise<void> {
  for (;;) {
    const { value } = await output.next()
    if (value === undefined || value.type === 'exit') throw new Error(`it ended without ${words}`)
    if (value.text.includes(words)) return
  }
}

test('server and client run at once, and both end by themselves', async () => {
  let client: ReturnType<typeof run> | null = null
  let served: number | null = null
  for await (const item of testbed.exec('server', serve, note())) {
    if (item.type === 'exit') served = item.code
    else if (item.text.startsWith('Server listening')) client = run(testbed, 'client', connect(1))
  }
  const ran = await client
  expect([served, ran?.ended.code]).toEqual([0, 0])
  expect(ran?.stdout.filter((line) => line.includes('receiver'))).toHaveLength(1)
  expect(await left()).toEqual([])
})

test('cancelled together, both are gone', async () => {
  const abort = new AbortController()
  const context = note(abort.signal)
  let sending: Promise<unknown> = Promise.resolve()
  const send = async (): Promise<void> => {
    for await (const item of testbed.exec('client', connect(60), context)) {
      if (item.type !== 'line' || !item.text.includes('bits/sec')) continue
      expect(await left()).toHaveLength(2)
      abort.abort(new Error('enough'))
    }
  }
  await expect(async () => {
    for await (const item of testbed.exec('server', serve, context)) {
      if (item.type === 'line' && item.text.startsWith('Server listening')) {
        // The client may reject before this loop does.
        sending = send().catch((error: unknown) => error)
      }
    }
  }).rejects.toThrow('enough')
  expect(await sending).toMatchObject({ message: 'enough' })
  expect(await left()).toEqual([])
})

test('leftovers of an ended Expresslane in either pod are ended before the first command there', async () => {
  const workload = await readWorkload(parts, new AbortController().signal)
  if (workload === null) throw new Error('the workload is not there')
  const gone = createReaper(parts.cluster, 'elsewhere', 'another-host.1.abcd')
  const options = { signal: new AbortController().signal, deadlineMs: 60_000 }
  const serving = gone.exec(podIn(workload, 'server'), serve, options)
  await untilSays(serving, 'Server listening')
  const sending = gone.exec(podIn(workload, 'client'), connect(60), options)
  await untilSays(sending, 'bits/sec')
  expect(await left()).toHaveLength(2)
  for (const at of [podIn(workload, 'server'), podIn(workload, 'client')]) {
    await parts.console.run({ at, argv: ['true'] }, note())
  }
  expect(await left()).toEqual([])
  await Promise.all([serving.return(), sending.return()])
})
