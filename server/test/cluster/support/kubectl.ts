/** The cluster as kubectl shows and changes it: what the product did is held against this. */
import { execFile } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, vi } from 'vitest'
import { z } from 'zod'

const exec = promisify(execFile)
const kubeconfig = process.env['E2E_KUBECONFIG'] ?? ''
const root = new URL('../../../../', import.meta.url)

/** The namespace of everything that these tests deploy; deleting it deletes them. */
export const NAMESPACE = 'expresslane-faults'

export async function kubectl(...argv: string[]): Promise<string> {
  const { stdout } = await exec('kubectl', argv, { env: { ...process.env, KUBECONFIG: kubeconfig } })
  return stdout
}

export async function apply(...objects: readonly object[]): Promise<void> {
  const list = { apiVersion: 'v1', kind: 'List', items: objects }
  const applied = exec('kubectl', ['apply', '-f', '-'], { env: { ...process.env, KUBECONFIG: kubeconfig } })
  applied.child.stdin?.end(JSON.stringify(list))
  await applied
}

/** The kubeconfig's own context. */
export async function currentContext(): Promise<string> {
  return (await kubectl('config', 'current-context')).trim()
}

const configMap = z.object({ data: z.record(z.string(), z.string()) })

/** All keys of `cilium-config` with their values. */
export async function ciliumConfig(): Promise<Readonly<Record<string, string>>> {
  const text = await kubectl('-n', 'kube-system', 'get', 'configmap', 'cilium-config', '-o', 'json')
  return configMap.parse(JSON.parse(text)).data
}

const pods = z.object({ items: z.array(z.object({ metadata: z.object({ name: z.string(), uid: z.string() }) })) })

/** The pods with this label: name -> UID. */
export async function podsOf(namespace: string, label = ''): Promise<ReadonlyMap<string, string>> {
  const selected = label === '' ? [] : ['-l', label]
  const text = await kubectl('-n', namespace, 'get', 'pods', ...selected, '-o', 'json')
  return new Map(pods.parse(JSON.parse(text)).items.map(({ metadata }) => [metadata.name, metadata.uid]))
}

const bigTcp = z.object({ enabled: z.boolean().default(false) })
const agentStatus = z.object({ 'ipv4-big-tcp': bigTcp, 'ipv6-big-tcp': bigTcp })

/** For each agent, whether it has BIG TCP over IPv4. */
export async function agentsHaveBigTcp(): Promise<boolean[]> {
  const names = [...(await podsOf('kube-system', 'k8s-app=cilium')).keys()]
  return Promise.all(
    names.map(async (name) => {
      const ask = ['exec', name, '-c', 'cilium-agent', '--', 'cilium-dbg', 'status', '-o', 'json']
      return agentStatus.parse(JSON.parse(await kubectl('-n', 'kube-system', ...ask)))['ipv4-big-tcp'].enabled
    }),
  )
}

/** The commands in the pod, netperf's own aside from netserver. */
export async function netperfIn(pod: string): Promise<string[]> {
  const listed = await kubectl('-n', NAMESPACE, 'exec', pod, '--', 'ps', '-o', 'args')
  return listed.split('\n').filter((line) => /(^|\/)netperf(\s|$)/.test(line.trim()))
}

const faults = ['E2E_API_PAUSE', 'E2E_API_RESUME', 'E2E_API_CUT', 'E2E_API_HEAL'] as const

/** Whether the environment names commands that pause and cut the API server. */
export const canFault = faults.every((name) => (process.env[name] ?? '') !== '')

/** Pauses, resumes, cuts or heals the API server by the environment's command. */
export async function fault(name: (typeof faults)[number]): Promise<void> {
  const [file = '', ...args] = (process.env[name] ?? '').split(' ')
  await exec(file, args, { cwd: root })
}

const SWITCHED_KEYS = [
  'enable-ipv4-big-tcp',
  'enable-ipv6-big-tcp',
  'bpf-lb-acceleration',
  'bpf-lb-mode',
  'enable-nat46x64-gateway',
] as const

/** Switches to what `config` says where it is not so, by hand: for the tests that come after a failed one. */
export async function putBack(config: Readonly<Record<string, string>>): Promise<void> {
  const now = await ciliumConfig()
  // A cancelled switch restores the settings, and does not wait for the agents that it restarted.
  if (SWITCHED_KEYS.every((key) => now[key] === config[key])) return untilAgentsReady()
  const data = Object.fromEntries(SWITCHED_KEYS.map((key) => [key, config[key] ?? null]))
  const system = ['-n', 'kube-system']
  await kubectl(...system, 'patch', 'configmap', 'cilium-config', '--type=merge', '-p', JSON.stringify({ data }))
  await restartAgents()
}

/** Resolves once the new agents are Ready; see {@link untilCompiled}. */
export async function restartAgents(): Promise<void> {
  await kubectl('-n', 'kube-system', 'delete', 'pod', '-l', 'k8s-app=cilium')
  await untilAgentsReady()
}

/** On a busy machine. */
const AGENTS_MS = 180_000
const agentPods = z.object({
  items: z.array(
    z.object({
      metadata: z.object({ deletionTimestamp: z.string().optional() }),
      status: z.object({ conditions: z.array(z.object({ type: z.string(), status: z.string() })).default([]) }),
    }),
  ),
})

/**
 * Resolves once every node has a Ready agent and none is ending. The DaemonSet's own counters stay green while agents are
 * deleted, and `kubectl wait` knows only the pods that exist when it begins.
 */
async function untilAgentsReady(): Promise<void> {
  const system = ['-n', 'kube-system', 'get']
  const desired = await kubectl(...system, 'daemonset', 'cilium', '-o', 'jsonpath={.status.desiredNumberScheduled}')
  const look = async (): Promise<void> => {
    const listed = await kubectl(...system, 'pods', '-l', 'k8s-app=cilium', '-o', 'json')
    const { items } = agentPods.parse(JSON.parse(listed))
    const ready = items.filter(
      ({ metadata, status }) =>
        metadata.deletionTimestamp === undefined &&
        status.conditions.some(({ type, status: value }) => type === 'Ready' && value === 'True'),
    )
    expect({ ready: ready.length, all: items.length }).toEqual({ ready: Number(desired), all: Number(desired) })
  }
  await vi.waitFor(look, { timeout: AGENTS_MS, interval: 500 })
}

const endpoints = z.array(z.object({ status: z.object({ state: z.string() }) }))

/** Resolves once each agent has compiled its programs: until then a Ready agent goes on with those of the one before. */
export async function untilCompiled(): Promise<void> {
  const look = async (): Promise<void> => {
    for (const name of (await podsOf('kube-system', 'k8s-app=cilium')).keys()) {
      const ask = ['exec', name, '-c', 'cilium-agent', '--', 'cilium-dbg', 'endpoint', 'list', '-o', 'json']
      const listed = endpoints.parse(JSON.parse(await kubectl('-n', 'kube-system', ...ask)))
      expect(new Set(listed.map(({ status }) => status.state))).toEqual(new Set(['ready']))
    }
  }
  await vi.waitFor(look, { timeout: AGENTS_MS, interval: 500 })
}

/**
 * Resolves once every node was heard of again: after a long pause of the API server the control plane takes them for
 * lost, and their pods for not ready, until their kubelets speak.
 */
export async function untilHeardOf(): Promise<void> {
  await kubectl('wait', 'node', '--all', '--for=condition=Ready', '--timeout=120s')
  const agents = ['-n', 'kube-system', 'wait', 'pod', '-l', 'k8s-app=cilium']
  await kubectl(...agents, '--for=condition=Ready', '--timeout=120s')
}

/**
 * Resolves once Cilium's operator runs and has freed the nodes. It does not live through a long pause of the API
 * server, and after several of them it is started again only minutes later: a new pod of it starts at once.
 */
export async function untilWell(): Promise<void> {
  const system = ['-n', 'kube-system']
  await kubectl(...system, 'delete', 'pod', '-l', 'io.cilium/app=operator', '--force')
  await kubectl(...system, 'rollout', 'status', 'deployment/cilium-operator', '--timeout=120s')
  while ((await kubectl('get', 'nodes', '-o', 'jsonpath={.items[*].spec.taints[*].key}')).includes('node.cilium.io/')) {
    await setTimeout(500)
  }
}

/** Resolves once no namespace of that name is on its way out: the tests before may have removed it just now. */
export async function untilGone(name: string): Promise<void> {
  const phase = await kubectl('get', 'namespace', name, '--ignore-not-found', '-o', 'jsonpath={.status.phase}')
  if (phase === 'Terminating') await kubectl('wait', '--for=delete', `namespace/${name}`, '--timeout=120s')
}

export async function removeNamespace(name: string): Promise<void> {
  await kubectl('delete', 'namespace', name, '--ignore-not-found', '--wait=false')
}
