/**
 * Records the workload's pods on a real cluster, at each stage that a decision knows, to ../../fixtures/kubernetes/pods:
 *
 *     KUBECONFIG=... E2E_NETPERF_IMAGE=... node server/test/testbeds/kubernetes/record-pods.ts CONTEXT
 */
import { mkdir, writeFile } from 'node:fs/promises'
import type { V1Pod } from '@kubernetes/client-node'
import { createCluster } from '../../../src/testbeds/kubernetes/api/cluster.ts'
import { createConsole } from '../../../src/testbeds/kubernetes/exec/console.ts'
import { openContext } from '../../../src/testbeds/kubernetes/api/kubeconfig.ts'
import { readManifest } from '../../../src/testbeds/kubernetes/workload/manifest.ts'
import { createReaper } from '../../../src/testbeds/kubernetes/exec/reap.ts'
import { watchObjects } from '../../../src/testbeds/kubernetes/api/watch.ts'
import { deployWorkload } from '../../../src/testbeds/kubernetes/workload/workload.ts'
import { pair } from '../../support/runs/pair.ts'

const namespace = 'expresslane-record'
const image = process.env['E2E_NETPERF_IMAGE'] ?? 'expresslane/netperf'
const folder = new URL('../../fixtures/kubernetes/pods/', import.meta.url)
const cluster = createCluster(openContext(process.env, process.argv[2] ?? null))

interface Case {
  readonly name: string
  readonly change: (pod: V1Pod) => void
  /** The words of the object that is kept. */
  readonly until: RegExp
}

function container(pod: V1Pod) {
  const [one] = pod.spec?.containers ?? []
  if (one === undefined) throw new Error('a pod without a container')
  return one
}

const cases: readonly Case[] = [
  { name: 'new', change: () => {}, until: /"phase":"Pending"/ },
  { name: 'creating', change: () => {}, until: /"reason":"ContainerCreating"/ },
  { name: 'not-ready', change: (pod) => void (container(pod).command = ['sleep', '600']), until: /"running":/ },
  { name: 'ready', change: () => {}, until: /"ready":true/ },
  {
    name: 'unschedulable',
    change: (pod) => void Object.assign(pod.spec ?? {}, { nodeSelector: { a: 'b' } }),
    until: /"reason":"Unschedulable"/,
  },
  {
    name: 'never-pulled',
    change: (pod) => void Object.assign(container(pod), { image: 'no.invalid/such:image', imagePullPolicy: 'Never' }),
    until: /"reason":"ErrImageNeverPull"/,
  },
  {
    name: 'pull-refused',
    change: (pod) => void (container(pod).image = 'no.invalid/such:image'),
    until: /"reason":"ImagePullBackOff"/,
  },
  {
    name: 'bad-name',
    change: (pod) => void (container(pod).image = 'Not An Image'),
    until: /"reason":"InvalidImageName"/,
  },
  {
    name: 'no-configuration',
    change: (pod) => void (container(pod).envFrom = [{ configMapRef: { name: 'missing' } }]),
    until: /"reason":"CreateContainerConfigError"/,
  },
  {
    name: 'crashes',
    change: (pod) => void (container(pod).command = ['sh', '-c', 'echo "netserver: no"; exit 1']),
    until: /"reason":"CrashLoopBackOff"/,
  },
]

/** The object as text, without its managed fields: they are long and of no interest here. */
function words(object: unknown): string {
  return JSON.stringify(object, (key, value: unknown) => (key === 'managedFields' ? undefined : value))
}

async function record({ name, change, until }: Case): Promise<void> {
  const { pods } = await readManifest({ namespace, image, variant: 'other-node', podSeconds: 600 })
  const [pod] = pods
  if (pod === undefined) throw new Error('no pod')
  change(pod)
  const stop = new AbortController()
  const made = cluster.core.createNamespacedPod({ namespace, body: pod })
  const path = `/api/v1/namespaces/${namespace}/pods`
  let kept = false
  for await (const [seen] of watchObjects(cluster, { path, permission: { resource: 'pods' } }, stop.signal)) {
    if (seen === undefined) {
      if (kept) break
      continue
    }
    const text = words(seen)
    const leaving = seen.metadata?.deletionTimestamp !== undefined
    if (name === 'ready' && leaving) await writeFile(new URL('ending.json', folder), `${text}\n`)
    if (kept || !until.test(text)) continue
    kept = true
    await writeFile(new URL(`${name}.json`, folder), `${text}\n`)
    await made
    // A grace of its own lets one be seen on its way out.
    const gracePeriodSeconds = name === 'ready' ? 1 : 0
    await cluster.core.deleteNamespacedPod({ name: 'netperf-server', namespace, gracePeriodSeconds })
  }
}

await mkdir(folder, { recursive: true })
await cluster.core.createNamespace({ body: { metadata: { name: namespace } } })
for (const one of cases) {
  await record(one)
  process.stdout.write(`${one.name}\n`)
}
const reaper = createReaper(cluster, namespace)
const parts = { cluster, reaper, console: createConsole(cluster, reaper), namespace, image, podSeconds: 600 }
await deployWorkload(parts, pair, 'other-node', { signal: new AbortController().signal, emit: () => {} })
const { items } = await cluster.core.listNamespacedPod({ namespace })
await writeFile(new URL('pair.json', folder), `${words(items)}\n`)
await cluster.core.deleteNamespace({ name: namespace })
