/** Reads a cluster's gateway between IPv4 and IPv6. Nothing is changed. */
import { GATEWAY_OF_CILIUM, WELL_KNOWN_PREFIX } from '@expresslane/shared/features/cilium-gateway'
import { parsePrefix, type Ipv6Prefix } from '@expresslane/shared/measure/ip/embedded'
import type { Family } from '@expresslane/shared/base/units'
import type { Observation } from '@expresslane/shared/base/observation'
import { CLIENT, podOf, SERVER, type Pod, type Role } from '@expresslane/shared/testbed/placement'
import { LabError } from '@expresslane/shared/base/errors'
import {
  agentNodesArgv,
  GATEWAY_OFF,
  agentStatusArgv,
  parseAgentNodes,
  parseGateway,
  type AgentNode,
} from '../../tools/cilium-gateway.ts'
import { parseRoute, routeGetArgv, type Route } from '../../tools/ip-route.ts'
import type { Pods, ProbeOutcome } from '../feature.ts'

/** The pod of a role. @throws LabError `workload_not_ready` */
function placed(role: Role, { placement }: Pods): Pod {
  const pod = podOf(placement, role)
  if (pod !== null) return pod
  throw new LabError('workload_not_ready', `There is no ${role} pod.`, 'Run the step that deploys the pods.')
}

/** An address of a pod. @throws LabError `workload_not_ready` if it has none of this family */
export function addressOf({ name, addresses }: Pod, of: Family): string {
  const address = addresses[of]
  if (address !== null) return address
  const family = of === 'ipv4' ? 'IPv4' : 'IPv6'
  throw new LabError(
    'workload_not_ready',
    `Pod ${name} has no ${family} address.`,
    'Use a cluster whose nodes and pods have addresses of both families.',
  )
}

/** A cluster's gateway, and who is on both of its sides. */
export interface Gateway {
  readonly client: Pod
  readonly server: Pod
  readonly prefix: Ipv6Prefix
  /** `64:ff9b::/96`. */
  readonly prefixText: string
  /** All nodes that the client's agent knows. */
  readonly nodes: readonly AgentNode[]
  /** The reports of the agents of both pods' nodes. */
  readonly observations: readonly Observation[]
}

/** A line about the gateway from the agent of each node. */
async function askAgents(nodes: readonly string[], { look }: Pods): Promise<Observation[]> {
  const said = await Promise.all(nodes.map((node) => look(`node:${node}`, agentStatusArgv)))
  return said.map((text, at) => ({
    label: `${nodes[at] ?? ''}: NAT46/64 gateway`,
    expected: null,
    seen: parseGateway(text) ?? 'unknown',
    ok: true,
  }))
}

/** Does its work with the gateway, or says why it is left out where the cluster has none. */
export async function withGateway(
  pods: Pods,
  work: (gateway: Gateway) => Promise<ProbeOutcome>,
): Promise<ProbeOutcome> {
  const [client, server] = [placed(CLIENT, pods), placed(SERVER, pods)]
  const observations = await askAgents([...new Set([client.node, server.node])], pods)
  const on = observations.map(({ seen }) => seen).find((seen) => seen !== GATEWAY_OFF && seen !== 'unknown')
  if (on === undefined) {
    const sentence = `This cluster’s gateway between IPv4 and IPv6 is not on, so this step is left out. Expresslane does not switch it on. ${GATEWAY_OF_CILIUM}`
    return { sentence, observations, leftOut: true }
  }
  const [first = ''] = on.split(', ')
  const named = parsePrefix(first)
  const prefixText = named === null ? WELL_KNOWN_PREFIX : first
  const prefix = named ?? parsePrefix(WELL_KNOWN_PREFIX)
  if (prefix === null) throw new Error(`${WELL_KNOWN_PREFIX} is no prefix`)
  const nodes = parseAgentNodes(await pods.look(`node:${client.node}`, agentNodesArgv))
  return work({ client, server, prefix, prefixText, nodes, observations })
}

/** The route by which a node would send a packet. */
export interface Way {
  readonly node: string
  /** Null if it has no route. */
  readonly route: Route | null
  /** `by eth0 to fd00::1`, or the kernel's words. */
  readonly words: string
}

/** Asks a node's kernel. The pods' packets take the same routes. */
export async function wayTo(address: string, of: Family, node: string, { ask }: Pods): Promise<Way> {
  const { ok, lines } = await ask(`node:${node}`, routeGetArgv(of, address))
  if (!ok) return { node, route: null, words: lines.at(-1) ?? 'no route' }
  const route = parseRoute(lines.join('\n'))
  const next = route.gateway === null ? '' : ` to ${route.gateway}`
  return { node, route, words: `by ${route.device}${next}` }
}
