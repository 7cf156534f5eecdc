import { expect, test } from 'vitest'
import { abilitiesOf, bpfRefusal, threadRefusal, type Machine } from '../../../src/testbeds/netns/abilities.ts'

const root: Machine = {
  uid: 0,
  status: 'CapEff:\t000001ffffffffff\n',
  uidMap: '         0          0 4294967295\n',
  unprivilegedBpf: '2',
  ipvs: false,
  kernelThreads: true,
}

test.each<[string, Machine, string | null]>([
  ['root', root, null],
  ['an ordinary user', { ...root, uid: 1000 }, 'BPF needs root here: kernel.unprivileged_bpf_disabled is 2.'],
  ['where everybody may load some programs', { ...root, uid: 1000, unprivilegedBpf: '0' }, 'is 0.'],
  ['a kernel without the setting', { ...root, uid: 1000, unprivilegedBpf: null }, 'BPF needs root here.'],
  ['root of a container', { ...root, status: 'CapEff:\t00000000a80425fb\n' }, 'CAP_BPF'],
  ['root of a user namespace', { ...root, uidMap: '0 1000 1\n' }, 'outside of any user namespace'],
])('BPF for %s', (_, machine, reason) => {
  if (reason === null) expect(bpfRefusal(machine)).toBeNull()
  else expect(bpfRefusal(machine)).toContain(reason)
})

test.each<[string, Partial<Machine>, number[], string | null]>([
  ['root', {}, [0, 1], null],
  ['one CPU', {}, [1], 'Give it two CPUs or more.'],
  ['an ordinary user', { uid: 1000 }, [0, 1], 'Only root'],
  ['root of a user namespace', { uidMap: '0 1000 1' }, [0, 1], 'Only root'],
  ['root of a container', { status: 'CapEff:\t00000000a80425fb\n' }, [0, 1], 'CAP_SYS_NICE'],
  ['a container with the rights, and its own processes', { kernelThreads: false }, [0, 1], 'this container'],
])('a CPU of its own for a kernel thread: %s', (_, machine, cpus, reason) => {
  if (reason === null) expect(threadRefusal({ ...root, ...machine }, cpus)).toBeNull()
  else expect(threadRefusal({ ...root, ...machine }, cpus)).toContain(reason)
})

test('an ordinary user has the rules of netfilter, and a reason for each hook that is missing', () => {
  const { capabilities, lacks } = abilitiesOf({ ...root, uid: 1000 }, [0, 1])
  expect([...capabilities].filter((one) => one.startsWith('nodeport-'))).toEqual([
    'nodeport-nftables',
    'nodeport-iptables',
  ])
  expect([...lacks.keys()]).toEqual([
    'nodeport-xdp',
    'nodeport-tc',
    'nodeport-ipvs',
    'nodeport-thread',
    'lb-acceleration',
    'outside-client',
  ])
  expect(lacks.get('nodeport-ipvs')).toBe('This kernel has no ip_vs.')
})

test('root has BPF too, and one CPU leaves nothing to place', () => {
  const { capabilities, lacks } = abilitiesOf({ ...root, ipvs: true }, [0])
  expect(capabilities).toContain('nodeport-xdp')
  expect([...lacks.keys()]).toEqual([
    'cpu-placement',
    'nodeport-ipvs',
    'nodeport-thread',
    'lb-acceleration',
    'outside-client',
  ])
  expect(lacks.get('nodeport-ipvs')).toBe('Expresslane has no rules for ip_vs yet.')
})
