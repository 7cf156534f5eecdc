/** The API objects that `record.ts` recorded, as the client gives them: with dates for times. */
import { ciliumKeys } from '../../../src/features/registry.ts'
import { readFileSync } from 'node:fs'
import type { V1ConfigMap, V1DaemonSet, V1Namespace, V1Node, V1Pod } from '@kubernetes/client-node'
import type { AgentAnswer } from '../../../src/testbeds/kubernetes/datapath/agents.ts'
import type { ClusterReading } from '../../../src/testbeds/kubernetes/facts/cluster-reading.ts'
import { uidOf } from '../../../src/testbeds/kubernetes/api/pod.ts'
import { parseCiliumStatus } from '../../../src/tools/cilium-status.ts'
import { parseNumberedLinks } from '../../../src/tools/ip-link.ts'

/** The folders of fixtures; `nat46x64` has only the objects that differ from `off`. */
type Case = 'off' | 'on' | 'nat46x64'

const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/

function read(of: Case, file: string): unknown {
  const text = readFileSync(new URL(`../../fixtures/kubernetes/${of}/${file}.json`, import.meta.url), 'utf8')
  return JSON.parse(text, (_, value: unknown) =>
    typeof value === 'string' && TIME.test(value) ? new Date(value) : value,
  ) as unknown
}

function items(of: Case, file: string): unknown[] {
  return (read(of, file) as { readonly items: unknown[] }).items
}

export const recordedNodes = (of: Case): V1Node[] => items(of, 'nodes') as V1Node[]
export const recordedSettings = (of: Case): V1ConfigMap => read(of, 'cilium-config') as V1ConfigMap
const recordedDaemonSet = (of: Case): V1DaemonSet => read(of, 'daemonset') as V1DaemonSet
export const recordedAgentPods = (of: Case): V1Pod[] => items(of, 'agent-pods') as V1Pod[]
export const recordedWorkloadPods = (of: Case): V1Pod[] => items(of, 'workload-pods') as V1Pod[]
export const recordedStatuses = (of: Case): Record<string, Record<string, unknown>> =>
  read(of, 'statuses') as Record<string, Record<string, unknown>>

function recordedAgents(of: Case): AgentAnswer[] {
  const statuses = recordedStatuses(of)
  const links = read(of, 'links') as Record<string, unknown>
  return recordedAgentPods(of).map((pod) => {
    const node = pod.spec?.nodeName ?? ''
    return {
      node,
      pod,
      uid: uidOf(pod),
      status: parseCiliumStatus(JSON.stringify(statuses[node])),
      links: parseNumberedLinks(JSON.stringify(links[node])),
      reason: null,
    }
  })
}

/** The whole recorded cluster, healthy, with the workload's pods in place; a new copy each time, which a test can change. */
export function recordedCluster(of: Case): ClusterReading {
  return {
    context: 'kind-kind',
    kubernetes: (read(of, 'version') as { gitVersion: string }).gitVersion,
    nodes: recordedNodes(of),
    daemonSet: recordedDaemonSet(of),
    settings: recordedSettings(of),
    overrides: [],
    keys: ciliumKeys(),
    agents: recordedAgents(of),
    holder: null,
    workload: {
      namespace: 'expresslane',
      object: read(of, 'workload-namespace') as V1Namespace,
      pods: recordedWorkloadPods(of),
      image: 'expresslane/netperf',
    },
    tools: { iperf3: '3.12', tcpdump: '4.99.3' },
  }
}
