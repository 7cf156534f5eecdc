import { knownCapabilities, whyLacking } from '@expresslane/shared/features/capabilities'
import { expect, test } from 'vitest'
import { pair } from '../../../src/features/big-tcp/topology.ts'
import type { MachinePrimitives } from '../../../src/testbeds/machine/machine.ts'
import { createNetnsTestbed } from '../../../src/testbeds/netns/index.ts'
import { createThisMachine } from '../../../src/testbeds/netns/this-machine/index.ts'
import { primitivesOf, type Rights } from '../../../src/testbeds/machine/rights.ts'

const root: Rights = {
  uid: 0,
  status: 'CapEff:\t000001ffffffffff\n',
  uidMap: '         0          0 4294967295\n',
  unprivilegedBpf: '2',
  ipvs: false,
  netkit: false,
  cgroupBpf: true,
  parts: new Set(['tbf'] as const),
  congestionControls: 'reno bbr',
  vxlan: true,
  geneve: true,
  tun: true,
  kernelThreads: true,
}

test.each<[string, Rights, string | null]>([
  ['root', root, null],
  ['an ordinary user', { ...root, uid: 1000 }, 'BPF needs root here: kernel.unprivileged_bpf_disabled is 2.'],
  ['where everybody may load some programs', { ...root, uid: 1000, unprivilegedBpf: '0' }, 'is 0.'],
  ['a kernel without the setting', { ...root, uid: 1000, unprivilegedBpf: null }, 'BPF needs root here.'],
  ['root of a container', { ...root, status: 'CapEff:\t00000000a80425fb\n' }, 'CAP_BPF'],
  ['root of a user namespace', { ...root, uidMap: '0 1000 1\n' }, 'outside of any user namespace'],
])('BPF for %s', (_, rights, reason) => {
  if (reason === null) expect(primitivesOf(rights, [0, 1]).bpf).toBeNull()
  else expect(primitivesOf(rights, [0, 1]).bpf).toContain(reason)
})

test.each<[string, Partial<Rights>, string | null]>([
  ['root', {}, null],
  ['an ordinary user', { uid: 1000 }, 'Only root'],
  ['root of a user namespace', { uidMap: '0 1000 1' }, 'Only root'],
  ['root of a container', { status: 'CapEff:\t00000000a80425fb\n' }, 'CAP_SYS_NICE'],
  ['a container with the rights, and its own processes', { kernelThreads: false }, 'this container'],
])('a CPU and a priority for a kernel thread: %s', (_, rights, reason) => {
  // The thread runs on the sender's CPU, so one CPU is enough.
  const { 'kernel-thread': thread } = primitivesOf({ ...root, ...rights }, [0])
  if (reason === null) expect(thread).toBeNull()
  else expect(thread).toContain(reason)
})

test.each<[string, Partial<Rights>, string | null]>([
  ['root', {}, null],
  ['a kernel without it', { ipvs: false }, 'This kernel has no ip_vs.'],
  ['an ordinary user', { uid: 1000 }, 'IPVS needs root here.'],
  ['root of a user namespace', { uidMap: '0 1000 1' }, 'IPVS needs root here.'],
  ['root of a container', { status: 'CapEff:\t0000000000000000\n' }, 'CAP_NET_ADMIN'],
])('IPVS for %s', (_, rights, reason) => {
  const { ipvs } = primitivesOf({ ...root, ipvs: true, ...rights }, [0, 1])
  if (reason === null) expect(ipvs).toBeNull()
  else expect(ipvs).toContain(reason)
})

test.each<[string, Partial<Rights>, string | null]>([
  ['root', {}, null],
  ['an ordinary user with both capabilities', { uid: 1000, status: 'CapAmb:\t0000004400000000\n' }, null],
  ['a user whose programs do not get them', { uid: 1000, status: 'CapEff:\t0000004400000000\n' }, 'ambient'],
  ['CAP_PERFMON alone', { uid: 1000, status: 'CapAmb:\t0000004000000000\n' }, 'CAP_SYSLOG'],
  ['an ordinary user', { uid: 1000, status: 'CapEff:\t0000000000000000\n' }, 'root here, or CAP_PERFMON'],
  ['root of a user namespace', { uidMap: '0 1000 1' }, 'The counted machine'],
])('samples of the kernel for %s', (_, rights, reason) => {
  const { profile } = primitivesOf({ ...root, ...rights }, [0, 1])
  if (reason === null) expect(profile).toBeNull()
  else expect(profile).toContain(reason)
})

/** The capabilities of labs on a machine with these primitives, and the reasons for the missing capabilities. */
function capabilitiesOn(primitives: MachinePrimitives) {
  const testbed = createNetnsTestbed({ topology: pair, machine: { ...createThisMachine(), primitives } })
  const whys = knownCapabilities().map((one) => [one, whyLacking(one, testbed.primitives)] as const)
  return {
    capabilities: new Set(whys.flatMap(([one, why]) => (why === null ? one : []))),
    lacks: new Map(whys.flatMap(([one, why]) => (why === null ? [] : [[one, why] as const]))),
  }
}

test('an ordinary user has the rules of netfilter, and a reason for each hook that is missing', () => {
  const { capabilities, lacks } = capabilitiesOn(primitivesOf({ ...root, uid: 1000 }, [0, 1]))
  expect([...capabilities].filter((one) => one.startsWith('nodeport-'))).toEqual([
    'nodeport-nftables',
    'nodeport-iptables',
    'nodeport-rate',
  ])
  expect([...lacks.keys()]).toEqual([
    'agent-settings',
    'nodeport-xdp',
    'nodeport-tc',
    'nodeport-ipvs',
    'nodeport-thread',
    'lb-acceleration',
    'lb-mode',
    'outside-client',
    'pod-device-bpf',
    'pod-device-netkit',
    'pod-device-netkit-bpf',
    'load-balancing-bpf',
    'cluster-ip-socket',
    'cluster-ip-tc',
    'translator-bpf',
    'cilium-gateway',
    'pod-limit-police',
    'pod-limit-edt',
    'long-path',
    'node-tunnel-wireguard',
    'node-tunnel-esp',
    'kernels',
    'profile',
  ])
  expect(lacks.get('pod-device-bpf')).toMatch(/^BPF needs root here/)
  expect(lacks.get('nodeport-ipvs')).toBe('This kernel has no ip_vs.')
})

test('root has BPF too, and one CPU leaves nothing to place', () => {
  const { capabilities, lacks } = capabilitiesOn(primitivesOf({ ...root, ipvs: true, netkit: true }, [0]))
  expect(capabilities).toContain('nodeport-xdp')
  expect(capabilities).toContain('nodeport-ipvs')
  expect([...lacks.keys()]).toEqual([
    'cpu-placement',
    'agent-settings',
    'lb-acceleration',
    'lb-mode',
    'outside-client',
    'cilium-gateway',
    'pod-limit-police',
    'pod-limit-edt',
    'long-path',
    'node-tunnel-wireguard',
    'node-tunnel-esp',
    'kernels',
  ])
})

test('a kernel without BPF for cgroups lacks the sockets alone', () => {
  const { lacks } = capabilitiesOn(primitivesOf({ ...root, cgroupBpf: false }, [0, 1]))
  expect(lacks.get('cluster-ip-socket')).toBe('This kernel has no BPF for cgroups (CONFIG_CGROUP_BPF).')
  expect(lacks.has('cluster-ip-tc')).toBe(false)
})

test('a kernel without netkit says so, and an ordinary user of one that has it lacks its programs alone', () => {
  const without = capabilitiesOn(primitivesOf(root, [0, 1])).lacks
  expect([without.get('pod-device-netkit'), without.get('pod-device-netkit-bpf')]).toEqual([
    'This kernel has no netkit, which Linux has from 6.7 on (CONFIG_NETKIT).',
    'This kernel has no netkit, which Linux has from 6.7 on (CONFIG_NETKIT).',
  ])
  const { capabilities, lacks } = capabilitiesOn(primitivesOf({ ...root, uid: 1000, netkit: true }, [0, 1]))
  expect([...capabilities].filter((one) => one.startsWith('pod-device'))).toEqual([
    'pod-device',
    'pod-device-conntrack',
    'pod-device-netkit',
  ])
  expect(lacks.get('pod-device-netkit-bpf')).toMatch(/^BPF needs root here/)
})

test('a kernel without one kind of tunnel lacks that kind alone, whoever the user is', () => {
  const { capabilities, lacks } = capabilitiesOn(primitivesOf({ ...root, uid: 1000, geneve: false }, [0, 1]))
  expect(capabilities).toContain('node-tunnel')
  expect(lacks.get('node-tunnel-geneve')).toBe('This kernel has no geneve (CONFIG_GENEVE).')
})

test('a kernel without WireGuard says where there is one, and one with it needs no root', () => {
  const parts = new Set(['wireguard'] as const)
  const { capabilities, lacks } = capabilitiesOn(primitivesOf({ ...root, uid: 1000, parts }, [0, 1]))
  expect(capabilities).toContain('node-tunnel-wireguard')
  expect(lacks.get('node-tunnel-esp')).toBe(
    'This kernel has no ESP with AES-GCM on a device of its own (esp4, xfrm_interface, gcm): choose the counted machine.',
  )
})

test.each<[string, boolean | null, string | null]>([
  ['who may open it', true, null],
  ['who may not', false, 'may not open /dev/net/tun'],
  ['without one', null, 'There is no /dev/net/tun'],
])('tayga for a user with /dev/net/tun: %s', (_, tun, reason) => {
  const { capabilities, lacks } = capabilitiesOn(primitivesOf({ ...root, uid: 1000, tun }, [0, 1]))
  expect(capabilities.has('translator-tayga')).toBe(reason === null)
  if (reason !== null) expect(lacks.get('translator-tayga')).toContain(reason)
})
