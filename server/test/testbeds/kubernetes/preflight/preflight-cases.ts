/** One change after another of a recorded, healthy cluster, and what each makes of a check. */
import type { Check } from '@expresslane/shared/testbed/testbed'
import { epochMs } from '@expresslane/shared/measure/units'
import {
  both,
  cilium,
  kernel,
  marked,
  native,
  override,
  says,
  settings,
  unreadable,
  withAgents,
  withNodes,
  withoutCilium,
  type Change,
} from './preflight-changes.ts'

export const NOW = Date.parse('2026-11-21T08:00:00Z')

export interface Case {
  readonly name: string
  readonly change: Change
  readonly id: string
  readonly status: Check['status']
  readonly seen?: string
  readonly blocks?: Check['blocks']
  readonly command?: string
}

const bigTcp: Check['blocks'] = ['big-tcp-ipv6', 'big-tcp-ipv4']

export const cases: readonly Case[] = [
  {
    name: 'a kernel too old for IPv4 on one node',
    change: kernel('6.2.16', 'kind-worker2'),
    id: 'kernel-ipv4',
    status: 'failed',
    seen: '6.2.16 on kind-worker2',
    blocks: ['big-tcp-ipv4'],
    command: 'kubectl cordon kind-worker2',
  },
  {
    name: 'a kernel too old for IPv6',
    change: kernel('5.15.0-91-generic'),
    id: 'kernel-ipv6',
    status: 'failed',
    blocks: ['big-tcp-ipv6'],
  },
  {
    name: 'an old kernel where no pod may land',
    change: kernel('5.10.0', 'kind-control-plane'),
    id: 'kernel-ipv6',
    status: 'passed',
  },
  {
    name: 'Cilium 1.13',
    change: cilium('1.13.9'),
    id: 'cilium-ipv4',
    status: 'failed',
    seen: '1.13.9 on kind-worker, kind-worker2',
    blocks: ['big-tcp-ipv4'],
  },
  { name: 'Cilium 1.13, over IPv6', change: cilium('1.13.9'), id: 'cilium-ipv6', status: 'passed' },
  {
    name: 'Cilium 1.12 on one node',
    change: cilium('1.12.1', 'kind-worker'),
    id: 'cilium-ipv6',
    status: 'failed',
    seen: '1.12.1 on kind-worker',
  },
  {
    name: 'tunnel mode by the ConfigMap',
    change: settings({ 'routing-mode': 'tunnel', 'tunnel-protocol': 'vxlan' }),
    id: 'routing',
    status: 'failed',
    seen: 'tunnel (vxlan) on kind-worker, kind-worker2',
    blocks: bigTcp,
  },
  {
    name: 'tunnel mode by the word of a newer agent, on one node',
    change: says(
      { routing: { 'inter-host-routing-mode': 'Tunnel', 'tunnel-protocol': 'geneve' }, 'datapath-mode': 'veth' },
      'kind-worker',
    ),
    id: 'routing',
    status: 'failed',
    seen: 'tunnel (geneve) on kind-worker',
  },
  {
    name: 'tunnel mode of 1.19, which may have BIG TCP',
    change: both(settings({ 'routing-mode': 'tunnel' }), cilium('1.19.4')),
    id: 'routing',
    status: 'warning',
  },
  {
    name: 'WireGuard',
    change: says({ encryption: { mode: 'Wireguard' } }),
    id: 'encryption',
    status: 'failed',
    seen: 'Wireguard on kind-worker, kind-worker2',
    blocks: bigTcp,
  },
  {
    name: 'IPsec on one node',
    change: says({ encryption: { mode: 'IPsec' } }, 'kind-worker2'),
    id: 'encryption',
    status: 'failed',
    seen: 'IPsec on kind-worker2',
  },
  {
    name: 'legacy host routing',
    change: says({ 'host-routing': { mode: 'Legacy' } }),
    id: 'host-routing',
    status: 'failed',
    blocks: bigTcp,
  },
  {
    name: 'host routing as newer agents report it',
    change: says({ 'host-routing': undefined, routing: { 'intra-host-routing-mode': 'Legacy' } }),
    id: 'host-routing',
    status: 'failed',
  },
  {
    name: 'host routing that no agent reports',
    change: says({ 'host-routing': undefined }),
    id: 'host-routing',
    status: 'warning',
  },
  {
    name: 'kube-proxy in its place',
    change: says({ 'kube-proxy-replacement': { mode: 'False' }, 'host-firewall': { devices: ['eth0'] } }),
    id: 'kube-proxy-replacement',
    status: 'warning',
  },
  {
    name: 'masquerading by iptables',
    change: says({ masquerading: { enabled: true, mode: 'iptables' } }),
    id: 'masquerade',
    status: 'warning',
  },
  { name: 'no masquerading', change: says({ masquerading: { mode: 'BPF' } }), id: 'masquerade', status: 'passed' },
  {
    name: 'netkit',
    change: both(cilium('1.18.2'), says({ 'datapath-mode': 'netkit' })),
    id: 'datapath-mode',
    status: 'failed',
    seen: 'netkit on kind-worker, kind-worker2',
    blocks: bigTcp,
  },
  {
    name: 'a network card that takes 64 KiB and no more',
    change: native(65_536),
    id: 'devices',
    status: 'failed',
    seen: 'tso_max_size of kind-worker/eth0 is 65536; tso_max_size of kind-worker2/eth0 is 65536',
  },
  { name: 'an ip that does not show tso_max_size', change: native(null), id: 'devices', status: 'warning' },
  {
    name: 'an ip that does not show the IPv4 sizes',
    change: withAgents((agent) => ({
      ...agent,
      links: (agent.links ?? []).map(({ link, ...rest }) => ({ ...rest, link: { ...link, gsoIpv4MaxSize: null } })),
    })),
    id: 'iproute2',
    status: 'warning',
  },
  {
    name: 'IPv4 alone',
    change: says({ ipam: { ipv4: ['10.244.1.119'], ipv6: [] } }),
    id: 'pods-ipv6',
    status: 'failed',
    seen: 'None on kind-worker, kind-worker2.',
    blocks: ['big-tcp-ipv6'],
  },
  {
    name: 'IPv4 alone, for the lab over IPv4',
    change: says({ ipam: { ipv4: ['10.244.1.119'], ipv6: null } }),
    id: 'pods-ipv4',
    status: 'passed',
  },
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
    blocks: bigTcp,
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
