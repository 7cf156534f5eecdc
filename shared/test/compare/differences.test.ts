import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fingerprintDifferences } from '../../src/compare/differences.ts'
import type { Fingerprint } from '../../src/measure/fingerprint.ts'
import { environment as builtEnvironment } from '../builders.ts'

const environment = (over: Parameters<typeof builtEnvironment>[0] = {}): Fingerprint =>
  builtEnvironment({ placement: { variant: 'other-node', nodes: { client: 'node1', server: 'node2' } }, ...over })

const listed = (was: Fingerprint | null, is: Fingerprint | null) =>
  fingerprintDifferences(was, is, 'ipv4').map((one) => `${one.label}: ${one.was} -> ${one.is}`)

describe('fingerprintDifferences', () => {
  it('ignores the arms, a new incarnation, and the load of earlier measurements', () => {
    const on = environment({
      settings: { 'big-tcp-ipv4': true, 'big-tcp-ipv6': false, 'size-limit': 131_072 },
      incarnation: 'two',
      load: 1.1,
    })
    expect(listed(environment(), on)).toEqual([])
  })

  it('lists the CPU placement that was read back, not the requested one', () => {
    const [pinned, asked] = [
      { client: 1, server: 1 },
      { 'big-tcp-ipv4': true, 'big-tcp-ipv6': false, 'cpu-placement': 'one-cpu' },
    ]
    expect(listed(environment(), environment({ cpus: pinned }))).toEqual([
      'CPU placement: chosen by the scheduler -> one CPU for client and server (client on CPU 1, server on CPU 1)',
    ])
    expect(listed(environment({ cpus: pinned }), environment({ cpus: pinned, settings: asked }))).toEqual([])
  })

  it('lists the device of the pods of two clusters, and whether one recorded it', () => {
    const [veth, netkit] = ['veth, host routing BPF', 'netkit-l2, host routing BPF']
    expect(listed(environment({ podDevice: veth }), environment({ podDevice: netkit }))).toEqual([
      `Device of the pods: ${veth} -> ${netkit}`,
    ])
    expect(listed(environment(), environment({ podDevice: netkit }))).toEqual([
      `Device of the pods: not recorded -> ${netkit}`,
    ])
  })

  it('lists all other differences', () => {
    const other = environment({
      testbed: 'kubernetes',
      name: 'kind-kind',
      kernel: '6.4.0',
      os: 'Ubuntu 24.04',
      cpu: { model: 'EPYC', count: 8, governor: 'powersave' },
      load: 7,
      versions: { netperf: '2.7.1', cilium: '1.16.0' },
      settings: { 'big-tcp-ipv4': true, 'big-tcp-ipv6': true },
      mtu: null,
      placement: { variant: 'same-node', nodes: { client: 'a', server: 'a' } },
      images: { workload: 'sha256:12' },
    })
    expect(listed(environment(), other)).toEqual([
      'Testbed: namespaces of this machine -> a Kubernetes cluster',
      'Name: this machine -> kind-kind',
      'CPU: 2 × Ryzen -> 8 × EPYC',
      'CPU governor: unknown -> powersave',
      'Kernel: 6.18.5 -> 6.4.0',
      'Operating system: Debian 13 -> Ubuntu 24.04',
      'Pods: on different nodes (client on node1, server on node2) -> on the same node (client on a, server on a)',
      'MTU of the pods: 1,500 bytes -> unknown',
      'BIG TCP over IPv6: off -> on',
      'Version of cilium: not recorded -> 1.16.0',
      'Version of netperf: 2.7.0 -> 2.7.1',
      'Image of workload: not recorded -> sha256:12',
      'Load at the start: 0.2 -> 7.0',
    ])
  })

  it('reports the limits if both had BIG TCP', () => {
    const [a, b] = [131_072, 196_608].map((limit) =>
      environment({ settings: { 'big-tcp-ipv4': true, 'big-tcp-ipv6': false, 'size-limit': limit } }),
    )
    expect(listed(a ?? null, b ?? null)).toEqual(['Send limit: 128K -> 192K'])
  })

  it('treats missing environments and an unknown load as differences', () => {
    expect(listed(null, environment())).toEqual(['Environment: not recorded -> recorded'])
    expect(listed(null, null)).toEqual(['Environment: not recorded -> not recorded'])
    expect(listed(environment({ load: null }), environment())).toEqual(['Load at the start: unknown -> 0.2'])
  })

  it('finds the same differences in both directions, and none between equal environments', () => {
    const some = fc.record({
      kernel: fc.constantFrom('6.18', '6.4'),
      mtu: fc.constantFrom(null, 1500, 9000),
      settings: fc.record({ 'big-tcp-ipv4': fc.boolean(), 'size-limit': fc.constantFrom(null, 131_072) }),
      load: fc.constantFrom(null, 0, 4),
      versions: fc.constantFrom({}, { netperf: '2.7' }, { netperf: '2.8', ip: '6' }),
    })
    fc.assert(
      fc.property(some, some, (one, other) => {
        const [a, b] = [environment(one), environment(other)]
        expect(listed(a, a)).toEqual([])
        const back = fingerprintDifferences(b, a, 'ipv6').map(({ key, label, was, is }) => ({
          key,
          label,
          was: is,
          is: was,
        }))
        expect(fingerprintDifferences(a, b, 'ipv6')).toEqual(back)
      }),
    )
  })
})
