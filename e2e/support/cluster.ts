/** The real cluster as kubectl shows it, to compare with the page. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { BIG_TCP_CAP } from '@expresslane/shared/features/big-tcp/size'
import type { Family } from '@expresslane/shared/base/units'
import { z } from 'zod'
import { App, freePort, test as base } from './app.ts'
import { Workshop } from './workshop.ts'

const exec = promisify(execFile)
const kubeconfig = process.env['E2E_KUBECONFIG'] ?? ''
const SYSTEM = 'kube-system'
/** Not the product's default, so that a person's lab on the same cluster is not affected. */
export const NAMESPACE = 'expresslane-e2e'

async function kubectl(...argv: string[]): Promise<string> {
  const { stdout } = await exec('kubectl', argv, { env: { ...process.env, KUBECONFIG: kubeconfig } })
  return stdout
}

async function kubectlJson<T>(shape: z.ZodType<T>, ...argv: string[]): Promise<T> {
  return shape.parse(JSON.parse(await kubectl(...argv)))
}

/** The data of `cilium-config`. */
export async function ciliumConfig(): Promise<Readonly<Record<string, string>>> {
  const shape = z.object({ data: z.record(z.string(), z.string()) })
  return (await kubectlJson(shape, '-n', SYSTEM, 'get', 'configmap', 'cilium-config', '-o', 'json')).data
}

const SWITCHED_KEYS = ['enable-ipv4-big-tcp', 'enable-ipv6-big-tcp', 'bpf-lb-acceleration', 'bpf-lb-mode'] as const

/** Restores the switched settings in `config` by hand, for the tests after a failed test. */
export async function putBack(config: Readonly<Record<string, string>>): Promise<void> {
  const now = await ciliumConfig()
  if (SWITCHED_KEYS.every((key) => now[key] === config[key])) return
  const patch = JSON.stringify({ data: Object.fromEntries(SWITCHED_KEYS.map((key) => [key, config[key] ?? null])) })
  await kubectl('-n', SYSTEM, 'patch', 'configmap', 'cilium-config', '--type=merge', '-p', patch)
  await kubectl('-n', SYSTEM, 'delete', 'pod', '-l', 'k8s-app=cilium')
  await kubectl('-n', SYSTEM, 'rollout', 'status', 'daemonset/cilium', '--timeout=120s')
  await kubectl('-n', SYSTEM, 'wait', '--for=condition=Ready', 'pod', '-l', 'k8s-app=cilium', '--timeout=120s')
}

const MAY_BREAK = 'expresslane/may-break'

/** Lets labs try settings that an agent may refuse. @returns takes the permission back, if the cluster did not give it before */
export async function allowTries(): Promise<() => Promise<void>> {
  const shape = z.object({ metadata: z.object({ annotations: z.record(z.string(), z.string()).default({}) }) })
  const annotate = ['-n', SYSTEM, 'annotate', '--overwrite', 'configmap', 'cilium-config']
  const { metadata } = await kubectlJson(shape, '-n', SYSTEM, 'get', 'configmap', 'cilium-config', '-o', 'json')
  const old = metadata.annotations[MAY_BREAK]
  await kubectl(...annotate, `${MAY_BREAK}=true`)
  return async () => void (await kubectl(...annotate, old === undefined ? `${MAY_BREAK}-` : `${MAY_BREAK}=${old}`))
}

const podList = z.object({
  items: z.array(z.object({ metadata: z.object({ name: z.string() }), spec: z.object({ nodeName: z.string() }) })),
})

/** The pods, by name, but that of a server in the namespace. */
export async function workloadPods(namespace = NAMESPACE): Promise<string[]> {
  const all = ['get', 'pods', '-l', 'app.kubernetes.io/name!=expresslane', '-o', 'json']
  const { items } = await kubectlJson(podList, '-n', namespace, ...all)
  return items.map(({ metadata }) => metadata.name).toSorted()
}

const route = z.array(z.object({ dev: z.string() }))
const links = z.array(
  z.object({
    tso_max_size: z.number(),
    gso_max_size: z.number(),
    gro_max_size: z.number(),
    gso_ipv4_max_size: z.number(),
    gro_ipv4_max_size: z.number(),
  }),
)
const bigTcp = z.object({ enabled: z.boolean().default(false), maxGSO: z.number(), maxGRO: z.number() })
const agentStatus = z.object({ 'ipv4-big-tcp': bigTcp, 'ipv6-big-tcp': bigTcp })

export interface Sizes {
  readonly gso: number
  readonly gro: number
}

export interface NodeSays {
  readonly node: string
  /** The agent's report for the family. */
  readonly agent: z.infer<typeof bigTcp>
  /** The device of the default route. */
  readonly device: string
  readonly sizes: Sizes
  readonly tsoMaxSize: number
}

async function link(family: Family, ...where: string[]): Promise<Sizes & { readonly tso: number }> {
  const [found] = await kubectlJson(links, ...where)
  if (found === undefined) throw new Error(`no device: ${where.join(' ')}`)
  const { gso_max_size, gro_max_size, gso_ipv4_max_size, gro_ipv4_max_size, tso_max_size: tso } = found
  return family === 'ipv6'
    ? { gso: gso_max_size, gro: gro_max_size, tso }
    : { gso: gso_ipv4_max_size, gro: gro_ipv4_max_size, tso }
}

/** Each node's agent and device, read with `kubectl exec`. */
export async function nodesSay(family: Family): Promise<NodeSays[]> {
  const agents = await kubectlJson(podList, '-n', SYSTEM, 'get', 'pods', '-l', 'k8s-app=cilium', '-o', 'json')
  return Promise.all(
    agents.items.map(async ({ metadata, spec }) => {
      const inAgent = ['-n', SYSTEM, 'exec', metadata.name, '-c', 'cilium-agent', '--']
      const status = await kubectlJson(agentStatus, ...inAgent, 'cilium-dbg', 'status', '-o', 'json')
      const [first] = await kubectlJson(route, ...inAgent, 'ip', '-j', 'route', 'show', 'default')
      const device = first?.dev ?? ''
      const { gso, gro, tso } = await link(family, ...inAgent, 'ip', '-d', '-j', 'link', 'show', 'dev', device)
      return {
        node: spec.nodeName,
        agent: status[`${family}-big-tcp`],
        device,
        sizes: { gso, gro },
        tsoMaxSize: tso,
      }
    }),
  )
}

/** The size that Cilium sets: the smallest of the nodes' maxima, capped. */
export function sizeToExpect(nodes: readonly NodeSays[]): number {
  return Math.min(BIG_TCP_CAP, ...nodes.map(({ tsoMaxSize }) => tsoMaxSize))
}

/** The sizes of every workload pod's eth0, by pod. */
export async function podsSay(family: Family, namespace = NAMESPACE): Promise<Record<string, Sizes>> {
  const pods = await workloadPods(namespace)
  const read = pods.map(async (pod): Promise<[string, Sizes]> => {
    const inPod = ['-n', namespace, 'exec', pod, '--', 'ip', '-d', '-j', 'link', 'show', 'dev', 'eth0']
    const { gso, gro } = await link(family, ...inPod)
    return [pod, { gso, gro }]
  })
  return Object.fromEntries(await Promise.all(read))
}

/** The server's environment variables for the cluster. */
const clusterEnv = {
  // Login programs of a kubeconfig can keep files there.
  HOME: process.env['HOME'] ?? '',
  KUBECONFIG: kubeconfig,
  EXPRESSLANE_NAMESPACE: NAMESPACE,
  EXPRESSLANE_NETPERF_IMAGE: process.env['E2E_NETPERF_IMAGE'] ?? '',
}

/** The kubeconfig's current context. */
export async function currentContext(): Promise<string> {
  return (await kubectl('config', 'current-context')).trim()
}

/**
 * A kubeconfig with one context whose address nothing listens on, to use next to the real cluster.
 *
 * @returns the value of KUBECONFIG with both files
 */
export async function withUnreachable(name: string, into: string, real: string): Promise<string> {
  const file = join(into, 'unreachable')
  await writeFile(
    file,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name, cluster: { server: `https://127.0.0.1:${await freePort()}` } }],
      users: [{ name, user: {} }],
      contexts: [{ name, context: { cluster: name, user: name } }],
    }),
  )
  return `${real}${delimiter}${file}`
}

interface Fixtures {
  directory: string
  serverEnv: Record<string, string>
  /** A server that has not started yet. */
  stopped: App
  app: App
  workshop: Workshop
}

/** `test` with a server on the real cluster. Afterwards it restores the cluster's settings and namespace. */
export const test = base.extend<Fixtures>({
  directory: async ({}, use) => {
    const directory = await mkdtemp(join(tmpdir(), 'expresslane-e2e-cluster-'))
    await use(directory)
    await rm(directory, { recursive: true })
  },
  serverEnv: async ({ directory }, use) => {
    // A test has one context, unless it needs more.
    const file = join(directory, 'kubeconfig')
    await writeFile(file, await kubectl('config', 'view', '--raw', '--minify', '--flatten'), { mode: 0o600 })
    await use({ ...clusterEnv, KUBECONFIG: file, EXPRESSLANE_CONTEXT: await currentContext() })
  },
  app: async ({ serverEnv, stopped }, use) => {
    await stopped.start(serverEnv)
    await use(stopped)
  },
  workshop: async ({ serverEnv, stopped, browser }, use) => {
    const workshop = await Workshop.open(stopped, browser, serverEnv)
    await use(workshop)
    await workshop.close()
  },
  stopped: async ({}, use) => {
    const before = await ciliumConfig()
    const app = await App.create()
    await use(app)
    await app.remove()
    await putBack(before)
    await kubectl('delete', 'namespace', NAMESPACE, '--ignore-not-found', '--wait=false')
  },
})

export { expect } from '@playwright/test'
