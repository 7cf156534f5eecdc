/** Everything that facts and preflight need, read once. */
import type { V1ConfigMap, V1DaemonSet, V1Namespace, V1Node, V1Pod } from '@kubernetes/client-node'
import type { LabError } from '@expresslane/shared/base/errors'
import type { ClusterFacts, ClusterNode } from '@expresslane/shared/testbed/testbed'
import type { CiliumKey } from '../../cilium-key.ts'
import type { AgentView, OutsideReading } from '../../cluster-view.ts'
import { viewAgent } from './agent-view.ts'
import type { AgentAnswer } from '../datapath/agents.ts'
import type { LeaseHolder } from '../lease/lease-store.ts'
import { nameOf, toNode } from '../api/nodes.ts'
import type { Override } from '../datapath/settings.ts'

/** Versions of the image's tools besides netperf, or why a version could not be read. */
export type ToolsSeen = Readonly<Record<'iperf3' | 'tcpdump', string | LabError>>

export interface ClusterReading {
  readonly context: string
  /** The API server's version. */
  readonly kubernetes: string
  readonly nodes: readonly V1Node[]
  /** Null without Cilium. */
  readonly daemonSet: V1DaemonSet | null
  /** `cilium-config`; null if there is none. */
  readonly settings: V1ConfigMap | null
  readonly overrides: readonly Override[]
  /** The keys of the ConfigMap that are switched. */
  readonly keys: readonly CiliumKey[]
  /** An answer per requested node. */
  readonly agents: readonly AgentAnswer[]
  readonly holder: LeaseHolder | null
  readonly workload: {
    /** The namespace's name, and the namespace if it exists. */
    readonly namespace: string
    readonly object: V1Namespace | null
    readonly pods: readonly V1Pod[]
    readonly image: string
  }
  /** The bytes of programs that are put into each pod, or why that fails. Missing if the image has them. */
  readonly programs?: number | LabError
  /** The nodes that were to start a pod of the image for a moment, and why they can't. Missing if none had to. */
  readonly trial?: { readonly nodes: readonly string[]; readonly problem: LabError | null }
  /** Null while no workload is deployed. */
  readonly tools: ToolsSeen | null
  /** Missing if no client can run outside of the cluster. */
  readonly outside?: OutsideReading
}

export function viewAgents({ agents, settings }: Pick<ClusterReading, 'agents' | 'settings'>): AgentView[] {
  return agents.map((answer) => viewAgent(answer, settings?.data ?? {}))
}

function toNodes(nodes: readonly V1Node[], agents: readonly AgentView[]): ClusterNode[] {
  return nodes.map((node) => {
    const agent = agents.find((one) => one.node === nameOf(node))
    return { ...toNode(node), cilium: agent?.version ?? null, devices: [...(agent?.devices ?? [])] }
  })
}

/** The nodes that accept the pods; all nodes if none does. */
export function landing(nodes: readonly ClusterNode[]): readonly ClusterNode[] {
  const free = nodes.filter(({ schedulable }) => schedulable)
  return free.length > 0 ? free : nodes
}

/** The common value, or each distinct value once: `native, tunnel (vxlan)`. Null if there is no value. */
export function shared(values: readonly (string | null)[]): string | null {
  const distinct = [...new Set(values.filter((value) => value !== null))]
  return distinct.length === 0 ? null : distinct.join(', ')
}

/** `docker.io/expresslane/netperf:1` -> `sha256:...`, of the containers that have been started. */
function imagesOf(pods: readonly V1Pod[]): Record<string, string> {
  const statuses = pods.flatMap(({ status }) => status?.containerStatuses ?? [])
  return Object.fromEntries(
    statuses.flatMap(({ image, imageID }) => (imageID === '' ? [] : [[image, imageID.replace(/^.*@/, '')] as const])),
  )
}

type FactsInput = Pick<ClusterReading, 'context' | 'kubernetes' | 'nodes' | 'agents' | 'settings' | 'workload'>

export function clusterFacts(reading: FactsInput): ClusterFacts {
  const agents = viewAgents(reading)
  const nodes = toNodes(reading.nodes, agents)
  const there = new Set(landing(nodes).map(({ name }) => name))
  const of = (says: (agent: AgentView) => string | null): string | null =>
    shared(agents.filter(({ node }) => there.has(node)).map(says))
  return {
    context: reading.context,
    kubernetes: reading.kubernetes,
    nodes,
    datapathMode: of(({ datapathMode }) => datapathMode),
    routing: of(({ routing }) => routing),
    hostRouting: of(({ hostRouting }) => hostRouting),
    masquerading: of(({ masquerading }) => masquerading),
    kubeProxyReplacement: of(({ kubeProxyReplacement }) => kubeProxyReplacement),
    encryption: of(({ encryption }) => encryption),
    nat46x64Gateway: of(({ gateway }) => gateway),
    bandwidthManager: of(({ bandwidthManager }) => bandwidthManager),
    images: imagesOf([...reading.agents.flatMap(({ pod }) => pod ?? []), ...reading.workload.pods]),
  }
}
