/** Ways to change a recorded cluster, one thing at a time. */
import type { V1Node } from '@kubernetes/client-node'
import { LabError, type ErrorCode } from '@expresslane/shared/base/errors'
import { bytes } from '@expresslane/shared/base/units'
import type { AgentAnswer } from '../../../../src/testbeds/kubernetes/datapath/agents.ts'
import type { ClusterReading, ToolsSeen } from '../../../../src/testbeds/kubernetes/facts/cluster-reading.ts'
import { toOverrides } from '../../../../src/testbeds/kubernetes/datapath/settings.ts'
import { parseCiliumStatus } from '../../../../src/tools/cilium-status.ts'

/** Changes a reading that was made for it. */
export type Change = (reading: ClusterReading) => ClusterReading

export const both =
  (...changes: Change[]): Change =>
  (reading) =>
    changes.reduce((changed, change) => change(changed), reading)

export function withAgents(change: (agent: AgentAnswer) => AgentAnswer): Change {
  return (reading) => ({ ...reading, agents: reading.agents.map(change) })
}

/** Changes what the agent of one node, or of all, says. */
export function says(words: Record<string, unknown>, on: string | null = null): Change {
  return withAgents((agent) => {
    if (agent.status === null || (on !== null && agent.node !== on)) return agent
    return { ...agent, status: parseCiliumStatus(JSON.stringify({ ...agent.status.json, ...words })) }
  })
}

export function cilium(version: string, on: string | null = null): Change {
  return says({ cilium: { state: 'Ok', msg: `${version} (v${version}-abcdef)` } }, on)
}

export function withNodes(change: (node: V1Node) => unknown, ...on: string[]): Change {
  return (reading) => {
    for (const node of reading.nodes) if (on.length === 0 || on.includes(node.metadata?.name ?? '')) change(node)
    return reading
  }
}

export function kernel(version: string, ...on: string[]): Change {
  return withNodes(({ status }) => Object.assign(status?.nodeInfo ?? {}, { kernelVersion: version }), ...on)
}

export function settings(data: Record<string, string>): Change {
  return (reading) => {
    if (reading.settings !== null) Object.assign(reading.settings, { data: { ...reading.settings.data, ...data } })
    return reading
  }
}

export function marked(labels: Record<string, string>, annotations: Record<string, string> = {}): Change {
  return (reading) => {
    Object.assign(reading.settings ?? {}, { metadata: { labels, annotations } })
    return reading
  }
}

export const tunnelDevice = withAgents((agent) => ({
  ...agent,
  links: (agent.links ?? []).flatMap((one, index) =>
    index === 0 ? [one, { ...one, link: { ...one.link, device: 'cilium_vxlan' } }] : [one],
  ),
}))

/** The first device of each node becomes a tunnel of 64 KiB. */
export const smallTunnel = withAgents((agent) => ({
  ...agent,
  links: (agent.links ?? []).map((one, index) =>
    index === 0 ? { ...one, link: { ...one.link, device: 'cilium_vxlan', tsoMaxSize: bytes.parse(65_536) } } : one,
  ),
}))

export function native(tsoMaxSize: number | null): Change {
  return withAgents((agent) => ({
    ...agent,
    links: (agent.links ?? []).map(({ link, ...numbers }) => ({
      ...numbers,
      link:
        link.device === 'eth0' ? { ...link, tsoMaxSize: tsoMaxSize === null ? null : bytes.parse(tsoMaxSize) } : link,
    })),
  }))
}

export function override(node: string): Change {
  return (reading) => {
    const config = {
      metadata: { name: 'no-big' },
      spec: {
        defaults: { 'enable-ipv4-big-tcp': 'false' },
        nodeSelector: { matchLabels: { 'kubernetes.io/hostname': node } },
      },
    }
    return { ...reading, overrides: toOverrides([config], reading.nodes, reading.keys) }
  }
}

export const unreadable = withAgents((agent) => ({
  ...agent,
  status: null,
  links: null,
  reason: 'its socket is closed',
}))
export const withoutCilium: Change = (reading) => ({ ...reading, daemonSet: null, settings: null, agents: [] })

/** A workload whose image did not report the version of a tool. */
export function without(tool: keyof ToolsSeen, code: ErrorCode = 'tool_missing'): Change {
  const error = new LabError(code, 'No.', 'Do something.', { detail: 'what it said' })
  return (reading) => ({ ...reading, tools: { iperf3: '3.12', tcpdump: '4.99.3', ...reading.tools, [tool]: error } })
}
