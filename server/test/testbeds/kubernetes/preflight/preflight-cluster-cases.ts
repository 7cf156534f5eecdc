/** Nodes and agents, and who else decides about the cluster. */
import { epochMs } from '@expresslane/shared/base/units'
import { NOW, type Case } from './preflight-case.ts'
import { marked, override, says, unreadable, withAgents, withNodes, withoutCilium } from './preflight-changes.ts'

export const clusterCases: readonly Case[] = [
  {
    name: 'a node that is cordoned',
    change: withNodes((node) => Object.assign(node.spec ?? {}, { unschedulable: true }), 'kind-worker'),
    id: 'nodes',
    status: 'failed',
    blocks: 'all',
    command: 'kubectl uncordon kind-worker',
  },
  {
    name: 'a taint of Cilium that goes by itself',
    change: withNodes(
      (node) =>
        Object.assign(node.spec ?? {}, { taints: [{ key: 'node.cilium.io/agent-not-ready', effect: 'NoSchedule' }] }),
      'kind-worker',
    ),
    id: 'nodes',
    status: 'passed',
  },
  {
    name: 'a taint of somebody',
    change: withNodes(
      (node) => Object.assign(node.spec ?? {}, { taints: [{ key: 'gpu', value: 'yes', effect: 'NoExecute' }] }),
      'kind-worker',
      'kind-control-plane',
    ),
    id: 'nodes',
    status: 'failed',
    command: 'kubectl taint node kind-control-plane gpu:NoExecute-',
  },
  {
    name: 'a node that is not Ready',
    change: withNodes(
      ({ status }) =>
        Object.assign(status ?? {}, {
          conditions: [{ type: 'Ready', status: 'Unknown', message: 'Kubelet is gone.' }],
        }),
      'kind-worker',
    ),
    id: 'nodes',
    status: 'failed',
    command: 'kubectl taint node kind-control-plane node-role.kubernetes.io/control-plane:NoSchedule-',
  },
  {
    name: 'one worker alone',
    change: (reading) => ({ ...reading, nodes: reading.nodes.slice(0, 2) }),
    id: 'nodes',
    status: 'failed',
    command: 'kubectl taint node kind-control-plane node-role.kubernetes.io/control-plane:NoSchedule-',
  },
  {
    name: 'no Cilium',
    change: withoutCilium,
    id: 'cilium',
    status: 'failed',
    seen: 'Namespace kube-system has no DaemonSet cilium and no ConfigMap cilium-config.',
    blocks: 'all',
  },
  {
    name: 'agents that can not be asked',
    change: unreadable,
    id: 'agents',
    status: 'failed',
    seen: 'kind-worker: its socket is closed; kind-worker2: its socket is closed',
    blocks: ['cilium-config'],
  },
  {
    name: 'a node without an agent',
    change: withAgents((agent) =>
      agent.node === 'kind-worker'
        ? { ...agent, pod: null, status: null, links: null, reason: 'no Cilium agent runs there' }
        : agent,
    ),
    id: 'agents',
    status: 'failed',
    seen: 'kind-worker: no Cilium agent runs there',
  },
  {
    name: 'agents that are not Ready',
    change: withAgents((agent) => {
      Object.assign(agent.pod?.status ?? {}, { conditions: [] })
      return agent
    }),
    id: 'agents',
    status: 'failed',
    seen: 'kind-worker: not Ready; kind-worker2: not Ready',
  },
  {
    name: 'an agent that says it has failed',
    change: says({ cilium: { state: 'Failure', msg: 'kvstore is gone' } }),
    id: 'agents',
    status: 'failed',
  },
  {
    name: 'an agent whose controller fails again and again',
    change: says(
      {
        controllers: [
          { name: 'ep-bpf', status: { 'consecutive-failure-count': 7, 'last-failure-msg': 'verifier said no' } },
        ],
      },
      'kind-worker2',
    ),
    id: 'agents',
    status: 'warning',
    seen: 'kind-worker2: controller ep-bpf: verifier said no',
  },
  {
    name: 'Argo CD by annotation',
    change: marked({}, { 'argocd.argoproj.io/tracking-id': 'cni:/ConfigMap:kube-system/cilium-config' }),
    id: 'ownership',
    status: 'warning',
    command: 'argocd app set cni --sync-policy none',
  },
  {
    name: 'Argo CD by label',
    change: marked({ 'argocd.argoproj.io/instance': 'network' }),
    id: 'ownership',
    status: 'warning',
    command: 'argocd app set network --sync-policy none',
  },
  {
    name: 'Flux',
    change: marked({ 'kustomize.toolkit.fluxcd.io/name': 'infra', 'kustomize.toolkit.fluxcd.io/namespace': 'flux' }),
    id: 'ownership',
    status: 'warning',
    command: 'flux suspend kustomization infra -n flux',
  },
  {
    name: 'Helm',
    change: marked(
      { 'app.kubernetes.io/managed-by': 'Helm' },
      { 'meta.helm.sh/release-name': 'cni', 'meta.helm.sh/release-namespace': 'kube-system' },
    ),
    id: 'ownership',
    status: 'warning',
    command:
      'helm -n kube-system upgrade cni cilium/cilium --reuse-values --set enableIPv4BIGTCP=true,enableIPv6BIGTCP=true',
  },
  {
    name: 'a node with settings of its own',
    change: override('kind-worker'),
    id: 'node-overrides',
    status: 'warning',
    seen: 'CiliumNodeConfig no-big: enable-ipv4-big-tcp=false on kind-worker',
  },
  {
    name: 'settings of a node where no pod may land',
    change: override('kind-control-plane'),
    id: 'node-overrides',
    status: 'passed',
  },
  {
    name: 'another Expresslane that holds the lease',
    change: (reading) => ({
      ...reading,
      holder: {
        identity: 'laptop',
        since: epochMs.parse(NOW - 5000),
        renewedAt: epochMs.parse(NOW - 1000),
        seconds: 30,
      },
    }),
    id: 'lease',
    status: 'warning',
    seen: 'laptop, since 07:59:55 UTC; its lease expires in 29 s unless it is renewed.',
  },
  {
    name: 'a lease that has expired',
    change: (reading) => ({
      ...reading,
      holder: { identity: 'laptop', since: null, renewedAt: epochMs.parse(NOW - 60_000), seconds: 30 },
    }),
    id: 'lease',
    status: 'passed',
  },
  {
    name: 'kind',
    change: withNodes((node) => Object.assign(node.spec ?? {}, { providerID: 'kind://docker/kind/worker' })),
    id: 'wire',
    status: 'warning',
  },
]
