/** The preflight's decisions, on a recorded healthy cluster and with one thing after another changed. */
import { clusterChecks as ofFeatures } from '../../../../src/features/registry.ts'
import { check as checkSchema, clusterFacts as factsSchema, type Check } from '@expresslane/shared/testbed/testbed'
import { bytes } from '@expresslane/shared/base/units'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { accessCheck, identityCheck } from '../../../../src/testbeds/kubernetes/preflight/checks-access.ts'
import { clusterChecks } from '../../../../src/testbeds/kubernetes/preflight/checks.ts'
import { clusterFacts } from '../../../../src/testbeds/kubernetes/facts/cluster-reading.ts'
import { allPermissions } from '../../../../src/testbeds/kubernetes/api/permissions.ts'
import { NOW } from './preflight-case.ts'
import { clusterCases } from './preflight-cluster-cases.ts'
import { pathCases } from './preflight-path-cases.ts'
import {
  both,
  cilium,
  kernel,
  says,
  settings,
  tunnelDevice,
  unreadable,
  withAgents,
  withoutCilium,
  type Change,
} from './preflight-changes.ts'
import { workloadCases } from './preflight-workload-cases.ts'
import { recordedCluster } from '../recorded.ts'

const cases = [...pathCases, ...clusterCases, ...workloadCases]

function checksOf(change: Change = (reading) => reading): Map<string, Check> {
  return new Map(
    [...clusterChecks(change(recordedCluster('off')), ofFeatures(), NOW)].map((check) => [check.id, check]),
  )
}

describe('the recorded healthy cluster', () => {
  test('passes all checks, in this order, each with the value seen', () => {
    const checks = [...checksOf().values()]
    expect(checks.filter(({ status }) => status !== 'passed')).toEqual([])
    expect(checks.map(({ id }) => id)).toEqual([
      'nodes',
      'cilium',
      'agents',
      'kernel-ipv6',
      'kernel-ipv4',
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
      'known-bugs',
      'pods-ipv6',
      'pods-ipv4',
      'ownership',
      'node-overrides',
      'lease',
      'namespace',
      'image',
      'iperf3',
      'capture',
    ])
  })

  test.each([
    ['nodes', 'kind-worker, kind-worker2'],
    ['cilium-ipv4', '1.15.19 on kind-worker, kind-worker2'],
    ['routing', 'native on kind-worker, kind-worker2'],
    ['host-routing', 'BPF on kind-worker, kind-worker2'],
    ['masquerade', 'BPF (IPv4) on kind-worker, kind-worker2'],
    ['devices', 'tso_max_size 524280 on kind-worker/eth0, kind-worker2/eth0'],
    ['iperf3', 'iperf3 3.12'],
    ['capture', 'tcpdump 4.99.3'],
    ['image', 'expresslane/netperf'],
    ['cilium', 'DaemonSet kube-system/cilium: 3 of 3 agents are ready.'],
  ])('shows what %s saw: %s', (id, seen) => {
    expect(checksOf().get(id)?.seen).toBe(seen)
  })

  test('returns its facts', () => {
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
      nat46x64Gateway: 'Disabled',
      bandwidthManager: 'Disabled',
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

describe('the effect of one change on a check', () => {
  test.each(cases)('$name: $id $status', ({ change, id, status, seen, blocks, command }) => {
    const check = checksOf(change).get(id)
    expect(check).toMatchObject({ id, status })
    if (seen !== undefined) expect(check?.seen).toBe(seen)
    if (blocks !== undefined) expect(check?.blocks).toEqual(blocks)
    if (command !== undefined) expect(check?.remedyCommand).toBe(command)
  })

  test("leaves out what can't be known without Cilium", () => {
    const ids = [...checksOf(withoutCilium).keys()]
    expect(ids).toEqual([
      'nodes',
      'cilium',
      'kernel-ipv6',
      'kernel-ipv4',
      'lease',
      'namespace',
      'image',
      'iperf3',
      'capture',
    ])
  })

  test('leaves out the image’s programs while no pod can be asked', () => {
    const checks = checksOf((reading) => ({ ...reading, tools: null }))
    expect([...checks.keys()].slice(-2)).toEqual(['namespace', 'image'])
    expect(checks.get('image')?.seen).toContain('When netperf is deployed, it is checked')
  })

  test('reports nothing about the datapath if no agent can be asked', () => {
    const ids = [...checksOf(unreadable).keys()]
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

  test('IPv4 is not affected if IPv6 is on', () => {
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

  test('Cilium 1.19 without a tunnel device is not affected', () => {
    expect(checksOf(cilium('1.19.0')).has('cilium-44198')).toBe(false)
  })

  test('a small virtual device among the native ones is reported with its issue', () => {
    const dummy = withAgents((agent) => ({
      ...agent,
      links: (agent.links ?? []).flatMap((one) =>
        one.link.device === 'eth0'
          ? [one, { ...one, link: { ...one.link, device: 'dummy0', tsoMaxSize: bytes.parse(65_536) } }]
          : [one],
      ),
    }))
    const two = says({ 'kube-proxy-replacement': { mode: 'True', devices: ['eth0', 'dummy0'] } })
    const checks = checksOf(both(dummy, two))
    expect(checks.get('cilium-24539')?.seen).toContain('kind-worker/dummy0 (65536)')
    expect(checks.get('cilium-24539')?.remedy).toContain('https://github.com/cilium/cilium/issues/24539')
    expect(checks.get('devices')?.status).toBe('failed')
  })
})

describe('access', () => {
  const asked = allPermissions('expresslane')

  test('names the missing permission, and the command to check it', () => {
    const missing = asked.filter(({ verb, resource }) => verb === 'list' && resource === 'nodes')
    expect(accessCheck(asked, missing)).toMatchObject({
      status: 'failed',
      seen: 'Not allowed: list nodes.',
      remedyCommand: 'kubectl auth can-i list nodes',
      blocks: 'all',
    })
  })

  test('without the rights of the agents blocks only what switches', () => {
    const system = asked.filter(({ namespace, subresource }) => namespace === 'kube-system' && subresource === 'exec')
    expect(system).toHaveLength(2)
    const check = accessCheck(asked, system)
    expect(check).toMatchObject({
      status: 'failed',
      blocks: ['cilium-config'],
    })
    expect(check.seen).toBe('Not allowed: get, create pods/exec in namespace kube-system.')
    expect(check.remedy).toContain('pods deployed')
    const alsoNodes = accessCheck(asked, [...system, ...asked.filter(({ resource }) => resource === 'nodes')])
    expect(alsoNodes.blocks).toBe('all')
  })

  test('groups several by object', () => {
    const check = accessCheck(
      asked,
      asked.filter(({ resource, namespace }) => resource === 'leases' && namespace !== undefined),
    )
    expect(check.seen).toContain('get, update leases.coordination.k8s.io "expresslane" in namespace kube-system')
    expect(check.remedyCommand).toBe('kubectl apply -f manifests/rbac.yaml')
  })

  test('passes with all permissions', () => {
    expect(accessCheck(asked, []).status).toBe('passed')
  })
})

describe('the identity of the API server', () => {
  const endpoint = { name: 'my cluster', server: 'https://a.example', skipTLSVerify: true }

  test('passes when its certificate is checked', () => {
    expect(identityCheck('one', { ...endpoint, skipTLSVerify: false }).status).toBe('passed')
  })

  test('is warned of when insecure-skip-tls-verify is set, with the command that undoes it', () => {
    const check = identityCheck('one', endpoint)
    expect(checkSchema.parse(check).status).toBe('warning')
    expect(check.seen).toContain('insecure-skip-tls-verify')
    expect(check.remedyCommand).toBe("kubectl config set-cluster 'my cluster' --insecure-skip-tls-verify=false")
  })

  test('is warned of over plain HTTP', () => {
    const check = identityCheck('one', { ...endpoint, server: 'http://127.0.0.1:8001' })
    expect(check).toMatchObject({ status: 'warning', remedyCommand: null })
    expect(check.seen).toContain('over plain HTTP')
  })
})

test('each check is valid; each one that did not pass has a remedy, and only failed ones block', () => {
  fc.assert(
    fc.property(fc.subarray(cases.map(({ change }) => change)), (changes) => {
      const reading = both(...changes)(recordedCluster('off'))
      const checks = [...clusterChecks(reading, ofFeatures(), NOW)]
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
