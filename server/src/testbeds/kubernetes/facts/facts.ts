/** The cluster's fingerprint. Cheap enough for every measurement: lasting values are remembered. */
import { maxOf, minOf } from '@expresslane/shared/measure/extremes'
import type { V1Node, V1Pod } from '@kubernetes/client-node'
import type { ClusterNode, TestbedFacts } from '@expresslane/shared/testbed/testbed'
import { pairTools } from '../../../tools/versions.ts'
import type { CallContext } from '../../testbed.ts'
import { agentOf, agentTarget, askAgents, listAgents, workloadTarget, type AgentAnswer } from '../datapath/agents.ts'
import type { Cluster } from '../api/cluster.ts'
import { clusterFacts, landing, shared } from './cluster-reading.ts'
import type { Console } from '../exec/console.ts'
import { listNodes, listWorkload, readConfigMap, readIncarnation, readVersion } from '../datapath/gather.ts'
import { readCpuModel, readPace, readVersions, type Pace } from './machine.ts'
import { nameOf } from '../api/nodes.ts'
import { isReady } from '../api/pod.ts'

export interface FactsParts {
  readonly cluster: Cluster
  readonly console: Console
  /** The workload's. */
  readonly namespace: string
  readonly image: string
}

/** The number of nodes that are asked for their load if no pods are deployed; otherwise it is the pods' two nodes. */
const MACHINES = 8

/** A fact that stays as long as a container, a node or an image is the same. The next one takes the place of the last. */
interface Memory<T> {
  /** @param run the run that it is read from; null for a pod that does not run */
  recall(slot: string, run: string | null): T | null
  keep(slot: string, run: string | null, value: T): void
}

function createMemory<T>(): Memory<T> {
  const known = new Map<string, { readonly run: string; readonly value: T }>()
  return {
    recall(slot, run) {
      const before = known.get(slot)
      return before !== undefined && before.run === run ? before.value : null
    },
    keep(slot, run, value) {
      if (run !== null) known.set(slot, { run, value })
    },
  }
}

/** A fact from the memory, or read and kept; null is not kept. */
async function recallOr<T>(
  memory: Memory<T>,
  slot: string,
  run: string | null,
  read: () => Promise<T | null>,
): Promise<T | null> {
  const before = memory.recall(slot, run)
  if (before !== null) return before
  const found = await read()
  if (found !== null) memory.keep(slot, run, found)
  return found
}

/** The ids of a pod's running containers, which change with a restart; null while a container does not run. */
function runOf({ status }: V1Pod): string | null {
  const ids = (status?.containerStatuses ?? []).map(({ containerID, state }) =>
    state?.running === undefined ? undefined : containerID,
  )
  return ids.length === 0 || ids.includes(undefined) ? null : ids.join(' ')
}

/** The images that a pod runs; null while one of its containers does not. Their tools stay when the pod is replaced. */
function imagesOf(pod: V1Pod): string | null {
  if (runOf(pod) === null) return null
  return (pod.status?.containerStatuses ?? []).map(({ imageID }) => imageID).join(' ')
}

/** Changes when the node starts again, and then its processor can be another model. */
function bootOf(name: string, nodes: readonly V1Node[]): string | null {
  return nodes.find((node) => nameOf(node) === name)?.status?.nodeInfo?.bootID ?? null
}

/** The nodes that the numbers come from. */
function machines(nodes: readonly ClusterNode[], pods: readonly V1Pod[]): readonly ClusterNode[] {
  const used = new Set(pods.map(({ spec }) => spec?.nodeName))
  const theirs = nodes.filter(({ name }) => used.has(name))
  return theirs.length > 0 ? theirs : landing(nodes).slice(0, MACHINES)
}

function largest(paces: readonly Pace[]): number | null {
  const loads = paces.flatMap(({ load }) => load ?? [])
  return loads.length === 0 ? null : maxOf(loads)
}

/**
 * @returns a function that reads the facts: six requests to the API server at once and one exec per machine, plus more
 * for machines that are new. It throws LabError `cluster_unreachable`, `cluster_unauthorized`, `cluster_forbidden`, and
 * `signal.reason`
 */
export function createFacts(parts: FactsParts): (context: CallContext) => Promise<TestbedFacts> {
  const { cluster, namespace, image } = parts
  const answers = createMemory<AgentAnswer>()
  const models = createMemory<string>()
  const versions = createMemory<Record<string, string>>()

  /** Agents that gave a full answer are not asked again while they run. */
  async function answersOf(
    nodes: readonly string[],
    pods: readonly V1Pod[],
    context: CallContext,
  ): Promise<AgentAnswer[]> {
    const present = nodes.map((node) => {
      const pod = agentOf(node, pods)
      const run = pod === null ? null : runOf(pod)
      return { node, pod, run, kept: answers.recall(node, run) }
    })
    const fresh = present.filter(({ kept }) => kept === null).map(({ node }) => node)
    const asked = await askAgents(parts, fresh, pods, context)
    return present.flatMap(({ node, pod, run, kept }) => {
      if (kept !== null) return [{ ...kept, pod }]
      const answer = asked.find((one) => one.node === node)
      if (answer === undefined) return []
      if (answer.reason === null) answers.keep(node, run, answer)
      return [answer]
    })
  }

  function modelOf(pod: V1Pod, nodes: readonly V1Node[], context: CallContext): Promise<string | null> {
    const node = pod.spec?.nodeName ?? ''
    return recallOr(models, node, bootOf(node, nodes), () => readCpuModel(parts, agentTarget(pod), context))
  }

  async function toolsOf(pod: V1Pod, of: 'workload' | 'agent', context: CallContext): Promise<Record<string, string>> {
    const [at, tools] = of === 'workload' ? [workloadTarget(pod), pairTools] : [agentTarget(pod), ['iproute2'] as const]
    return (await recallOr(versions, of, imagesOf(pod), () => readVersions(parts, at, tools, context))) ?? {}
  }

  return async (context) => {
    const { signal } = context
    const [incarnation, kubernetes, nodes, settings, agentPods, pods] = await Promise.all([
      readIncarnation(cluster, signal),
      readVersion(cluster, signal),
      listNodes(cluster, signal),
      readConfigMap(cluster, signal),
      listAgents(cluster, signal),
      listWorkload(cluster, namespace, signal),
    ])
    const agents = await answersOf(nodes.map(nameOf), agentPods, context)
    const workload = { namespace, image, object: null, pods }
    const facts = clusterFacts({ context: cluster.context, kubernetes, nodes, settings, agents, workload })
    const chosen = machines(facts.nodes, pods)
    const asked = chosen.flatMap(({ name }) => agents.find(({ node }) => node === name)?.pod ?? []).filter(isReady)
    const workloadPod = pods.find(isReady)
    const [agentPod] = asked
    const [paces, cpus, tools] = await Promise.all([
      Promise.all(asked.map((pod) => readPace(parts, agentTarget(pod), context))),
      Promise.all(asked.map((pod) => modelOf(pod, nodes, context))),
      workloadPod !== undefined
        ? toolsOf(workloadPod, 'workload', context)
        : agentPod !== undefined
          ? toolsOf(agentPod, 'agent', context)
          : {},
    ])
    const cilium = shared(landing(facts.nodes).map((node) => node.cilium))
    return {
      kind: 'kubernetes',
      name: cluster.context,
      incarnation,
      kernel: shared(chosen.map(({ kernel }) => kernel)) ?? 'unknown',
      os: shared(chosen.map(({ os }) => os)) ?? 'unknown',
      cpu: {
        model: shared(cpus) ?? 'unknown',
        count: minOf(chosen.map(({ cpus: count }) => count)),
        governor: shared(paces.map(({ governor }) => governor)),
      },
      load: largest(paces),
      instructionsPerMicrosecond: null,
      nodes: facts.nodes.map(({ name }) => name),
      versions: { kubernetes, ...(cilium === null ? {} : { cilium }), ...tools },
      cluster: facts,
    }
  }
}
