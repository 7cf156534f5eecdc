/** The API objects that `record.ts` recorded, as the client gives them: with dates for times. */
import { readFileSync } from 'node:fs'
import type { V1ConfigMap, V1DaemonSet, V1Namespace, V1Node, V1Pod } from '@kubernetes/client-node'
import type { AgentWords } from '../../../src/testbeds/kubernetes/agent-view.ts'
import type { ClusterReading } from '../../../src/testbeds/kubernetes/cluster-reading.ts'
import { parseLinks } from '../../../src/tools/ip-link.ts'

type Case = 'off' | 'on'

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

function read<T>(of: Case, file: string): T {
  const text = readFileSync(new URL(`../../fixtures/kubernetes/${of}/${file}.json`, import.meta.url), 'utf8')
  return JSON.parse(text, (_, value: unknown) =>
    typeof value === 'string' && TIME.test(value) ? new Date(value) : value,
  ) as T
}

interface List<T> {
  readonly items: T[]
}

export const recordedNodes = (of: Case): V1Node[] => read<List<V1Node>>(of, 'nodes').items
export const recordedSettings = (of: Case): V1ConfigMap => read<V1ConfigMap>(of, 'cilium-config')
export const recordedDaemonSet = (of: Case): V1DaemonSet => read<V1DaemonSet>(of, 'daemonset')
export const recordedAgentPods = (of: Case): V1Pod[] => read<List<V1Pod>>(of, 'agent-pods').items
export const recordedWorkloadPods = (of: Case): V1Pod[] => read<List<V1Pod>>(of, 'workload-pods').items
export const recordedStatuses = (of: Case): Record<string, Record<string, unknown>> => read(of, 'statuses')

function recordedAgents(of: Case): AgentWords[] {
  const statuses = recordedStatuses(of)
  const links = read<Record<string, unknown>>(of, 'links')
  return recordedAgentPods(of).map((pod) => {
    const node = pod.spec?.nodeName ?? ''
    return { node, pod, status: statuses[node], links: parseLinks(JSON.stringify(links[node])), unreadable: null }
  })
}

/** The whole recorded cluster, healthy, with the workload's pods in place; made anew each time, to be changed at will. */
export function recordedCluster(of: Case): ClusterReading {
  return {
    context: 'kind-kind',
    kubernetes: read<{ gitVersion: string }>(of, 'version').gitVersion,
    nodes: recordedNodes(of),
    daemonSet: recordedDaemonSet(of),
    settings: recordedSettings(of),
    overrides: [],
    agents: recordedAgents(of),
    holder: null,
    workload: {
      namespace: 'expresslane',
      object: read<V1Namespace>(of, 'workload-namespace'),
      pods: recordedWorkloadPods(of),
      image: 'expresslane/netperf',
    },
  }
}
