/** The preflight's decisions, on a recorded healthy cluster and with one thing after another changed. */
import type { Check } from '@expresslane/shared/testbed'
import { check as checkSchema, clusterFacts as factsSchema } from '@expresslane/shared/testbed'
import { bytes, epochMs } from '@expresslane/shared/units'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AgentWords } from '../../../src/testbeds/kubernetes/agent-view.ts'
import { accessCheck } from '../../../src/testbeds/kubernetes/checks-access.ts'
import { clusterChecks } from '../../../src/testbeds/kubernetes/checks.ts'
import { clusterFacts, type ClusterReading } from '../../../src/testbeds/kubernetes/cluster-reading.ts'
import { allPermissions } from '../../../src/testbeds/kubernetes/permissions.ts'
import { recordedCluster } from './recorded.ts'

const NOW = Date.parse('2026-11-21T08:00:00Z')

type Change = (reading: ClusterReading) => ClusterReading

function checksOf(change: Change = (reading) => reading): Map<string, Check> {
  return new Map([...clusterChecks(change(recordedCluster('off')), NOW)].map((check) => [check.id, check]))
}

/** Changes what the agent of one node, or of all, says. */
function says(status: Record<string, unknown>, node: string | null = null): Change {
  return withAgents((agent) => {
    const said = agent.status as Record<string, unknown>
    return node === null || agent.node === node ? { ...agent, status: { ...said, ...status } } : agent
  })
}

function withAgents(change: (agent: AgentWords) => AgentWords): Change {
  return (reading) => ({ ...reading, agents: reading.agents.map(change) })
}

function kernel(version: string, ...on: string[]): Change {
  return (reading) => ({
    ...reading,
    nodes: reading.nodes.map((node) => {
      if (on.length > 0 && !on.includes(node.metadata?.name ?? '')) return node
      const info = node.status?.nodeInfo
      if (info === undefined) throw new Error('a recorded node has no info')
      return { ...node, status: { ...node.status, nodeInfo: { ...info, kernelVersion: version } } }
    }),
  })
}

function cilium(version: string, on: string | null = null): Change {
  return says({ cilium: { state: 'Ok', msg: `${version} (v${version}-abcdef)` } }, on)
}

function settings(data: Record<string, string>): Change {
  return (reading) => {
    if (reading.settings === null) throw new Error('nothing to change')
    return { ...reading, settings: { ...reading.settings, data: { ...reading.settings.data, ...data } } }
  }
}

function marked(labels: Record<string, string>, annotations: Record<string, string> = {}): Change {
  return (reading) => ({ ...reading, settings: { ...reading.settings, metadata: { labels, annotations } } })
}

const both =
  (...changes: Change[]): Change =>
  (reading) =>
    changes.reduce((changed, change) => change(changed), reading)

const tunnelDevice = withAgents((agent) => {
  const [first] = agent.links
  if (first === undefined) throw new Error('a recorded node has no devices')
  return { ...agent, links: [...agent.links, { ...first, device: 'cilium_vxlan' }] }
})

function native(tsoMaxSize: number | null): Change {
  return withAgents((agent) => ({
    ...agent,
    links: agent.links.map((link) =>
      link.device === 'eth0' ? { ...link, tsoMaxSize: tsoMaxSize === null ? null : bytes.parse(tsoMaxSize) } : link,
    ),
  }))
}

describe('the recorded cluster, which is well', () => {
  test('passes all checks, in this order, each with the value seen', () => {
    const checks = [...checksOf().values()]
    expect(checks.filter(({ status }) => status !== 'passed')).toEqual([])
    expect(checks.map(({ id }) => id)).toEqual([
      'nodes',
      'kernel-ipv6',
      'kernel-ipv4',
      'cilium',
      'agents',
      'cilium-ipv6',
      'cilium-ipv4',
      'datapath-mode',
      'routing',
      'host-routing',
      'kube-proxy-replacement',
      'masquerade',
      'encryption',
      'devices',
      'iproute2',
      'pods-ipv6',
      'pods-ipv4',
      'known-bugs',
      'ownership',
      'node-overrides',
      'lease',
      'namespace',
      'image',
    ])
  })

  test.each([
    ['nodes', 'kind-worker, kind-worker2'],
    ['cilium-ipv4', '1.15.19 on kind-worker, kind-worker2'],
    ['routing', 'native on kind-worker, kind-worker2'],
    ['host-routing', 'BPF on kind-worker, kind-worker2'],
    ['masquerade', 'BPF (IPv4) on kind-worker, kind-worker2'],
    ['devices', 'tso_max_size 524280 on kind-worker/eth0, kind-worker2/eth0'],
    ['cilium', 'DaemonSet kube-system/cilium: 3 of 3 agents are ready.'],
  ])('shows what %s saw: %s', (id, seen) => {
    expect(checksOf().get(id)?.seen).toBe(seen)
  })

  test('tells its facts', () => {
    const facts = factsSchema.parse(clusterFacts(recordedCluster('off')))
    const { nodes, images, ...rest } = facts
    expect(rest).toEqual({
      context: 'kind-kind',
      kubernetes: 'v1.34.4',
      datapathMode: 'veth',
      routing: 'native',
      hostRouting: 'BPF',
      masquerading: 'BPF (IPv4)',
      kubeProxyReplacement: 'True',
      encryption: 'Disabled',
    })
    expect(nodes).toHaveLength(3)
    expect(nodes[1]).toMatchObject({
      name: 'kind-worker',
      os: 'Debian GNU/Linux 12 (bookworm)',
      runtime: 'containerd://1.6.20',
      kubelet: 'v1.34.4',
      cpus: 2,
      schedulable: true,
      cilium: '1.15.19',
      devices: [{ name: 'eth0', tsoMaxSize: 524_280 }],
    })
    expect(nodes.map(({ schedulable }) => schedulable)).toEqual([false, true, true])
    expect(Object.keys(images)).toEqual([
      'docker.io/expresslane/cilium:v1.15.19',
      'docker.io/expresslane/netperf:cluster',
    ])
    for (const digest of Object.values(images)) expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/)
  })
})

interface Case {
  readonly name: string
  readonly change: Change
  readonly id: string
  readonly status: Check['status']
  readonly seen?: string
  readonly blocks?: Check['blocks']
  readonly command?: string
}

const all: Check['blocks'] = ['big-tcp-ipv6', 'big-tcp-ipv4']

const cases: readonly Case[] = [
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
    blocks: all,
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
    blocks: all,
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
    blocks: all,
  },
  {
    name: 'host routing as newer agents tell it',
    change: says({ 'host-routing': undefined, routing: { 'intra-host-routing-mode': 'Legacy' } }),
    id: 'host-routing',
    status: 'failed',
  },
  {
    name: 'host routing that no agent tells',
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
    blocks: all,
  },
  {
    name: 'a network card that takes 64 KiB and no more',
    change: native(65_536),
    id: 'devices',
    status: 'failed',
    seen: 'tso_max_size of kind-worker/eth0 is 65536; tso_max_size of kind-worker2/eth0 is 65536',
  },
  { name: 'an ip that does not tell tso_max_size', change: native(null), id: 'devices', status: 'warning' },
  {
    name: 'an ip that does not show the IPv4 sizes',
    change: withAgents((agent) => ({
      ...agent,
      links: agent.links.map((link) => ({ ...link, gsoIpv4MaxSize: null, groIpv4MaxSize: null })),
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
    change: (reading) => ({
      ...reading,
      nodes: reading.nodes.map((node) =>
        node.metadata?.name === 'kind-worker' ? { ...node, spec: { ...node.spec, unschedulable: true } } : node,
      ),
    }),
    id: 'nodes',
    status: 'failed',
    blocks: all,
    command: 'kubectl uncordon kind-worker',
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
    change: (reading) => ({ ...reading, daemonSet: null, settings: null, agents: [] }),
    id: 'cilium',
    status: 'failed',
    seen: 'Namespace kube-system has no DaemonSet cilium and no ConfigMap cilium-config.',
    blocks: all,
  },
  {
    name: "an agent that can't be asked",
    change: withAgents((agent) =>
      agent.node === 'kind-worker' ? { ...agent, status: null, links: [], unreadable: 'its socket is closed' } : agent,
    ),
    id: 'agents',
    status: 'failed',
    seen: 'kind-worker: its socket is closed',
    blocks: all,
  },
  {
    name: 'a status that is none',
    change: withAgents((agent) => ({ ...agent, status: 'OK' })),
    id: 'agents',
    status: 'failed',
  },
  {
    name: 'a node without an agent',
    change: withAgents((agent) => (agent.node === 'kind-worker' ? { ...agent, pod: null } : agent)),
    id: 'agents',
    status: 'failed',
    seen: 'kind-worker: no agent runs there',
  },
  {
    name: 'an agent that is not Ready',
    change: withAgents((agent) => ({ ...agent, pod: { ...agent.pod, status: { conditions: [] } } })),
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
    seen: 'kind-worker2: ep-bpf fails: verifier said no',
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
    change: (reading) => ({
      ...reading,
      overrides: [{ name: 'no-big', nodes: ['kind-worker'], says: 'enable-ipv4-big-tcp=false' }],
    }),
    id: 'node-overrides',
    status: 'warning',
    seen: 'CiliumNodeConfig no-big: enable-ipv4-big-tcp=false on kind-worker',
  },
  {
    name: 'settings of a node where no pod may land',
    change: (reading) => ({
      ...reading,
      overrides: [{ name: 'no-big', nodes: ['kind-control-plane'], says: 'enable-ipv4-big-tcp=false' }],
    }),
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
    seen: 'laptop, since 07:59:55 UTC; it expires in 29 s unless it is renewed.',
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
    name: 'a namespace that forbids the host network',
    change: (reading) => ({
      ...reading,
      workload: {
        ...reading.workload,
        object: { metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'baseline' } } },
      },
    }),
    id: 'namespace',
    status: 'warning',
    seen: 'expresslane enforces Pod Security "baseline".',
  },
  {
    name: 'a namespace that is not there yet',
    change: (reading) => ({ ...reading, workload: { ...reading.workload, object: null } }),
    id: 'namespace',
    status: 'passed',
    seen: 'expresslane will be made.',
  },
  {
    name: 'kind',
    change: (reading) => ({
      ...reading,
      nodes: reading.nodes.map((node) => ({
        ...node,
        spec: { ...node.spec, providerID: 'kind://docker/kind/worker' },
      })),
    }),
    id: 'wire',
    status: 'warning',
  },
]

describe('what one change makes of a check', () => {
  test.each(cases)('$name: $id $status', ({ change, id, status, seen, blocks, command }) => {
    const check = checksOf(change).get(id)
    expect(check).toMatchObject({ id, status })
    if (seen !== undefined) expect(check?.seen).toBe(seen)
    if (blocks !== undefined) expect(check?.blocks).toEqual(blocks)
    if (command !== undefined) expect(check?.remedyCommand).toBe(command)
  })

  test("leaves out what can't be known without Cilium", () => {
    const ids = [...checksOf((reading) => ({ ...reading, daemonSet: null, settings: null, agents: [] })).keys()]
    expect(ids).toEqual(['nodes', 'kernel-ipv6', 'kernel-ipv4', 'cilium', 'lease', 'namespace', 'image'])
  })

  test('says nothing of the datapath where no agent can be asked', () => {
    const ids = [...checksOf(withAgents((agent) => ({ ...agent, status: null, unreadable: 'gone' }))).keys()]
    expect(ids).not.toContain('host-routing')
    expect(ids).not.toContain('known-bugs')
    expect(ids).toContain('agents')
  })
})

describe('known bugs', () => {
  test.each([
    ['6.6.8', false],
    ['6.6.9', true],
    ['6.6.54-1-lts', true],
    ['6.6.55', false],
    ['6.7.0', true],
    ['6.8.0-90-generic', true],
    ['6.10.13', true],
    ['6.10.14', false],
    ['6.11.2', true],
    ['6.11.3', false],
    ['6.12.0', false],
    ['6.5.13', false],
  ])('on Linux %s IPv4 alone is without effect: %s', (version, hit) => {
    expect(checksOf(kernel(version)).has('cilium-32942')).toBe(hit)
  })

  test('IPv4 is not alone where IPv6 is on', () => {
    const change = both(kernel('6.8.0'), settings({ 'enable-ipv6-big-tcp': 'true' }))
    expect(checksOf(change).has('cilium-32942')).toBe(false)
  })

  test.each([
    ['1.18.6', false],
    ['1.19.0', true],
    ['1.19.4', true],
    ['1.20.0', false],
  ])('Cilium %s with a tunnel device in native routing: %s', (version, hit) => {
    expect(checksOf(both(cilium(version), says({ 'datapath-mode': 'veth' }), tunnelDevice)).has('cilium-44198')).toBe(
      hit,
    )
  })

  test('Cilium 1.19 without a tunnel device is not hit', () => {
    expect(checksOf(cilium('1.19.0')).has('cilium-44198')).toBe(false)
  })

  test('a small virtual device among the native ones is told with its issue', () => {
    const dummy: Change = withAgents((agent) => {
      const eth0 = agent.links.find(({ device }) => device === 'eth0')
      if (eth0 === undefined) throw new Error('a recorded node has no eth0')
      return { ...agent, links: [...agent.links, { ...eth0, device: 'dummy0', tsoMaxSize: bytes.parse(65_536) }] }
    })
    const two = says({ 'kube-proxy-replacement': { mode: 'True', devices: ['eth0', 'dummy0'] } })
    const checks = checksOf(both(dummy, two))
    expect(checks.get('cilium-24539')?.seen).toContain('kind-worker/dummy0 (65536)')
    expect(checks.get('cilium-24539')?.remedy).toContain('https://github.com/cilium/cilium/issues/24539')
    expect(checks.get('devices')?.status).toBe('failed')
  })
})

describe('access', () => {
  const asked = allPermissions('expresslane')

  test('names what may not be done, and how to ask for it', () => {
    const missing = asked.filter(({ verb, resource }) => verb === 'patch' && resource === 'configmaps')
    expect(accessCheck(asked, missing)).toMatchObject({
      status: 'failed',
      seen: 'May not: patch configmaps "cilium-config" in namespace kube-system.',
      remedyCommand: 'kubectl auth can-i patch configmaps/cilium-config -n kube-system',
      blocks: all,
    })
  })

  test('tells many by object', () => {
    const check = accessCheck(
      asked,
      asked.filter(({ resource, namespace }) => resource === 'leases' && namespace !== undefined),
    )
    expect(check.seen).toContain('get, update leases.coordination.k8s.io "expresslane" in namespace kube-system')
    expect(check.remedyCommand).toBe('kubectl apply -f manifests/rbac.yaml')
  })

  test('passes with all', () => {
    expect(accessCheck(asked, []).status).toBe('passed')
  })
})

test('each check is of the schema, and whatever did not pass has a remedy; whatever blocks has failed', () => {
  fc.assert(
    fc.property(fc.subarray(cases.map(({ change }) => change)), (changes) => {
      // A change may find nothing left to change: then it is no case.
      let reading: ClusterReading
      try {
        reading = both(...changes)(recordedCluster('off'))
      } catch {
        return
      }
      const checks = [...clusterChecks(reading, NOW)]
      expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length)
      for (const check of checks) {
        checkSchema.parse(check)
        expect(check.remedy === null).toBe(check.status === 'passed')
        expect(check.blocks.length > 0).toBe(check.status === 'failed')
      }
    }),
    { numRuns: 200 },
  )
})
