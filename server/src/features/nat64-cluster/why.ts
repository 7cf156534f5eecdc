/** The reason for no answer, and the settings that an administrator would have to make. Pure: a lab sets nothing of it. */
import type { Exhibit } from '@expresslane/shared/run/exhibit'
import type { AgentNode } from '../../tools/cilium-gateway.ts'
import { CONTROL_PORT, DATA_PORT } from './call.ts'
import type { Gateway, Way } from './reading.ts'

const inUrl = (address: string): string => (address.includes(':') ? `[${address}]` : address)

const same = (a: string | null, b: string | null): boolean =>
  a !== null && b !== null && new URL(`http://${inUrl(a)}`).hostname === new URL(`http://${inUrl(b)}`).hostname

/** The node that has an address; undefined for a router, or a machine that is no part of the cluster. */
function nodeAt(address: string, nodes: readonly AgentNode[]): AgentNode | undefined {
  return nodes.find(({ ipv4, ipv6 }) => same(address, ipv4) || same(address, ipv6))
}

/** The node that is the next hop; null if that is none of the cluster. */
function nextNode({ route }: Way, { nodes }: Pick<Gateway, 'nodes'>): AgentNode | null {
  const hop = route?.gateway ?? null
  return hop === null ? null : (nodeAt(hop, nodes) ?? null)
}

/** Why the client's packets got no answer, by where its node sends them. */
export function whySilent(way: Way, gateway: Pick<Gateway, 'nodes' | 'server'>): string {
  const { node, route, words } = way
  if (route === null) return `Node ${node} has no route for them.`
  const next = nextNode(way, gateway)
  const sends = `Node ${node} sends them ${words}`
  if (next === null) {
    return `${sends}, which is no node of this cluster, and a node does not translate what its own pods send.`
  }
  if (next.name === gateway.server.node) {
    return `${sends}, the server’s own node ${next.name}. The gateway did not deliver to pods and addresses of the node that translates (seen with Cilium 1.15).`
  }
  return `${sends}, which is node ${next.name}, and no answer came back.`
}

type Setting = readonly [where: string, what: string]

/** A node between client and server, with an address of a family; a placeholder where the cluster has no third node. */
function between({ nodes, client, server }: Gateway): { name: string; ipv4: string; ipv6: string } {
  const third = nodes.find(({ name }) => name !== client.node && name !== server.node)
  return { name: third?.name ?? 'a third node', ipv4: third?.ipv4 ?? 'ITS-IPV4', ipv6: third?.ipv6 ?? 'ITS-IPV6' }
}

/** An IPv4 address that stands for the service, from a range for documentation (RFC 5737). */
const EXAMPLE = '203.0.113.10'

/** For the way from IPv6 to IPv4. */
export function settingsOutwards(gateway: Gateway): readonly Setting[] {
  const { client, prefixText } = gateway
  return [[client.node, `ip -6 route replace ${prefixText} via ${between(gateway).ipv6}`]]
}

/**
 * For the way from IPv4 to IPv6.
 *
 * @param asked the IPv4 address that is called; null if there is no service yet
 */
export function settingsInwards(gateway: Gateway, asked: string | null): readonly Setting[] {
  const { client, server, prefixText, nodes } = gateway
  const third = between(gateway)
  const serverNode = nodes.find(({ name }) => name === server.node)?.ipv6 ?? 'ITS-IPV6'
  const service: Setting = [
    'the cluster',
    `a service in the pods’ namespace: ipFamilies [IPv6], externalIPs [${prefixText.split('/')[0] ?? ''}${EXAMPLE}], ports ${CONTROL_PORT} and ${DATA_PORT}, selector app.kubernetes.io/name: netperf and app.kubernetes.io/component: server`,
  ]
  return [
    ...(asked === null ? [service] : []),
    [client.node, `ip route replace ${asked ?? EXAMPLE} via ${third.ipv4}`],
    [third.name, `ip -6 route replace ${prefixText} via ${serverNode}`],
    [server.node, `ip -6 route replace ${prefixText} via ${third.ipv6}`],
  ]
}

/** The settings that a lab leaves to an administrator. */
export function settingsTable(rows: readonly Setting[]): Exhibit {
  return {
    kind: 'table',
    title: 'What an administrator would have to set; this lab sets nothing of it',
    columns: ['Where', 'What'],
    rows: rows.map((row) => [...row]),
    more: 0,
  }
}

export function waysTable(rows: readonly (readonly [node: string, to: string, way: string])[]): Exhibit {
  return {
    kind: 'table',
    title: 'Which way the nodes send the packets',
    columns: ['Node', 'To', 'Way'],
    rows: rows.map((row) => [...row]),
    more: 0,
  }
}
