/** The cluster as kubectl shows it, past the app and past the proxy. */
import { z } from 'zod'
import { kubectl, NAMESPACE } from '../../cluster/cluster.ts'

const SYSTEM = ['-n', 'kube-system'] as const
const KEYS = ['enable-ipv4-big-tcp', 'enable-ipv6-big-tcp'] as const

const configMap = z.object({ data: z.record(z.string(), z.string()) })
const names = z.object({ items: z.array(z.object({ metadata: z.object({ name: z.string() }) })) })
const bigTcp = z.object({ enabled: z.boolean().default(false) })
const agentStatus = z.object({ 'ipv4-big-tcp': bigTcp, 'ipv6-big-tcp': bigTcp })

export type CiliumConfig = Readonly<Record<string, string>>

export async function ciliumConfig(): Promise<CiliumConfig> {
  return configMap.parse(JSON.parse(await kubectl(...SYSTEM, 'get', 'configmap', 'cilium-config', '-o', 'json'))).data
}

async function podNames(...where: readonly string[]): Promise<string[]> {
  const listed = await kubectl('get', 'pods', ...where, '-o', 'json')
  return names.parse(JSON.parse(listed)).items.map(({ metadata }) => metadata.name)
}

/** The names of the agents that have BIG TCP on in a family. */
async function agentsOn(): Promise<string[]> {
  const agents = await podNames(...SYSTEM, '-l', 'k8s-app=cilium')
  const on = await Promise.all(
    agents.map(async (name) => {
      const ask = [...SYSTEM, 'exec', name, '-c', 'cilium-agent', '--', 'cilium-dbg', 'status', '-o', 'json']
      const status = agentStatus.parse(JSON.parse(await kubectl(...ask)))
      return status['ipv4-big-tcp'].enabled || status['ipv6-big-tcp'].enabled ? [name] : []
    }),
  )
  return on.flat()
}

/** The differences between the cluster now and before the lab, in words; empty without any. */
export async function differences(before: CiliumConfig): Promise<string[]> {
  const [now, on, pods, holder] = await Promise.all([
    ciliumConfig(),
    agentsOn(),
    podNames('-n', NAMESPACE),
    kubectl(...SYSTEM, 'get', 'lease', 'expresslane', '--ignore-not-found', '-o', 'jsonpath={.spec.holderIdentity}'),
  ])
  const keys = [...new Set([...Object.keys(before), ...Object.keys(now)])].filter((key) => before[key] !== now[key])
  return [
    ...keys.map((key) => `cilium-config ${key}: ${before[key]} is now ${now[key]}`),
    ...on.map((agent) => `${agent} has BIG TCP on`),
    ...pods.map((pod) => `pod ${pod} is left`),
    ...(holder === '' ? [] : [`the lease is held by ${holder}`]),
  ]
}

/** Restores the cluster by hand, after a figure that failed to. */
export async function putBack(before: CiliumConfig): Promise<void> {
  const data = Object.fromEntries(KEYS.map((key) => [key, before[key] ?? null]))
  await kubectl(...SYSTEM, 'patch', 'configmap', 'cilium-config', '--type=merge', '-p', JSON.stringify({ data }))
  await kubectl(...SYSTEM, 'delete', 'pod', '-l', 'k8s-app=cilium')
  await kubectl(...SYSTEM, 'rollout', 'status', 'daemonset/cilium', '--timeout=180s')
}
