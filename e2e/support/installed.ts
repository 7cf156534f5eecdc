/** Expresslane in the cluster, from `manifests/app` or `manifests/classroom` alone, reached through `kubectl port-forward`. */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { test as base } from '@playwright/test'
import { z } from 'zod'
import { freePort } from './app.ts'
import { ciliumConfig, putBack } from './cluster.ts'

const kubeconfig = process.env['E2E_KUBECONFIG'] ?? ''
const env = { ...process.env, KUBECONFIG: kubeconfig }
const manifests = join(import.meta.dirname, '../../manifests')

/** The image of the server, which the cluster's nodes have. */
export const image = process.env['E2E_APP_IMAGE'] ?? ''

/** The namespace of the server and of its workload. */
export const NAMESPACE = 'expresslane'
const token = 'e2e-token-e2e-token-e2e-token-00'
/** A folder on a node, where no storage class makes volumes. */
const FOLDER = '/var/lib/expresslane-e2e'
const DEFAULT_CLASS = 'storageclass.kubernetes.io/is-default-class'
const meta = (name: string) => ({ name, namespace: NAMESPACE })

async function kubectl(...argv: string[]): Promise<string> {
  return (await promisify(execFile)('kubectl', argv, { env })).stdout
}

async function apply(...items: readonly object[]): Promise<void> {
  const applied = promisify(execFile)('kubectl', ['apply', '-f', '-'], { env })
  applied.child.stdin?.end(JSON.stringify({ apiVersion: 'v1', kind: 'List', items }))
  await applied
}

const classes = z.object({
  items: z.array(z.object({ metadata: z.object({ annotations: z.record(z.string(), z.string()).optional() }) })),
})
const nodes = z.object({
  items: z.array(
    z.object({ metadata: z.object({ name: z.string() }), spec: z.object({ taints: z.array(z.unknown()).optional() }) }),
  ),
})

/** Makes a volume by hand where no storage class does: a folder that belongs to the server's user. */
async function makeVolume(): Promise<void> {
  const { items } = classes.parse(JSON.parse(await kubectl('get', 'storageclass', '-o', 'json')))
  if (items.some(({ metadata }) => metadata.annotations?.[DEFAULT_CLASS] === 'true')) return
  const all = nodes.parse(JSON.parse(await kubectl('get', 'nodes', '-o', 'json'))).items
  const node = all.find(({ spec }) => (spec.taints ?? []).length === 0)?.metadata.name
  const folder = { hostPath: { path: FOLDER, type: 'DirectoryOrCreate' } }
  const values = [{ matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [node] }] }]
  await apply(
    {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'expresslane-e2e' },
      spec: {
        ...folder,
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        persistentVolumeReclaimPolicy: 'Retain',
        claimRef: meta('expresslane'),
        nodeAffinity: { required: { nodeSelectorTerms: values } },
      },
    },
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: meta('volume'),
      spec: {
        nodeName: node,
        restartPolicy: 'Never',
        containers: [
          {
            name: 'volume',
            image: process.env['E2E_NETPERF_IMAGE'],
            imagePullPolicy: 'IfNotPresent',
            command: ['sh', '-c', 'rm -rf /data/* && chown 10001:10001 /data'],
            volumeMounts: [{ name: 'data', mountPath: '/data' }],
          },
        ],
        volumes: [{ name: 'data', ...folder }],
      },
    },
  )
  await kubectl('-n', NAMESPACE, 'wait', '--for=jsonpath={.status.phase}=Succeeded', 'pod/volume', '--timeout=60s')
  await kubectl('-n', NAMESPACE, 'delete', 'pod', 'volume')
}

/** An operator's overlay of a folder of manifests: the images, and the address under which browsers reach the server. */
async function overlay(folder: Folder, into: string, origin: string): Promise<void> {
  const [, name = '', tag = 'latest'] = /^(.+?)(?::([^/:]+))?$/.exec(image) ?? []
  const more = [
    { name: 'EXPRESSLANE_ORIGINS', value: origin },
    { name: 'EXPRESSLANE_NETPERF_IMAGE', value: process.env['E2E_NETPERF_IMAGE'] },
  ]
  await writeFile(
    join(into, 'kustomization.yaml'),
    JSON.stringify({
      resources: [relative(into, join(manifests, folder))],
      images: [{ name: 'expresslane', newName: name, newTag: tag }],
      patches: [
        {
          target: { kind: 'Deployment', name: 'expresslane' },
          patch: JSON.stringify(
            more.map((value) => ({ op: 'add', path: '/spec/template/spec/containers/0/env/-', value })),
          ),
        },
      ],
    }),
  )
}

/** A folder of manifests. */
type Folder = 'app' | 'classroom'

export interface Installed {
  readonly link: string
  readonly origin: string
  /** Deletes the server's pod, and resolves when its next one answers. */
  restart(): Promise<void>
  /** The output of kubectl. */
  kubectl(...argv: string[]): Promise<string>
}

async function forward(port: number): Promise<ChildProcess> {
  const argv = ['-n', NAMESPACE, 'port-forward', 'service/expresslane', `${port}:7070`]
  const forwarding = spawn('kubectl', argv, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface({ input: forwarding.stdout })) {
    if (line.includes('Forwarding from')) return forwarding
  }
  throw new Error('kubectl port-forward ended')
}

const rolledOut = () => kubectl('-n', NAMESPACE, 'rollout', 'status', 'deployment/expresslane', '--timeout=90s')

async function end(forwarding: ChildProcess | null): Promise<void> {
  if (forwarding === null || forwarding.exitCode !== null) return
  forwarding.kill()
  await once(forwarding, 'exit')
}

/** `test` with the manifests applied. Afterwards everything of them is removed and the cluster's settings are restored. */
export const test = base.extend<{ folder: Folder; installed: Installed }>({
  folder: ['app', { option: true }],
  installed: async ({ folder }, use) => {
    const before = await ciliumConfig()
    const port = await freePort()
    const origin = `http://127.0.0.1:${port}`
    const directory = await mkdtemp(join(tmpdir(), 'expresslane-e2e-app-'))
    let forwarding: ChildProcess | null = null
    try {
      await overlay(folder, directory, origin)
      await apply(
        { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } },
        { apiVersion: 'v1', kind: 'Secret', metadata: meta('expresslane'), stringData: { token } },
      )
      await makeVolume()
      await kubectl('apply', '-k', directory)
      await rolledOut()
      forwarding = await forward(port)
      await use({
        link: `${origin}/open?token=${token}`,
        origin,
        kubectl,
        async restart() {
          await end(forwarding)
          await kubectl('-n', NAMESPACE, 'delete', 'pod', '-l', 'app.kubernetes.io/name=expresslane')
          await rolledOut()
          forwarding = await forward(port)
        },
      })
    } finally {
      await end(forwarding)
      await kubectl('delete', '-k', directory, '--ignore-not-found', '--timeout=60s')
      await kubectl('delete', 'persistentvolume', 'expresslane-e2e', '--ignore-not-found')
      await putBack(before)
      await rm(directory, { recursive: true })
    }
  },
})

export { expect } from '@playwright/test'
