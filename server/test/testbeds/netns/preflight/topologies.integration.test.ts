/** The checks for labs beyond pairs of pods: a node that forwards, the pods' devices, and translation. */
import type { Check } from '@expresslane/shared/testbed/testbed'
import { describe, expect, onTestFinished, test } from 'vitest'
import { note } from '../../../contract/contract-kit.ts'
import { netnsTestbed } from '../../../support/netns.ts'
import { createThisMachine } from '../../../../src/testbeds/netns/this-machine/index.ts'
import { devices } from '../../../../src/features/pod-devices/topology.ts'
import { forwarder } from '../../../../src/features/nodeport/topology.ts'
import { gateway } from '../../../../src/features/nat64/topology.ts'
import { realPath, toolsOf } from '../tools-of.ts'
import { checksOf, containing } from './preflight-kit.ts'

describe('with a node between client and backend', () => {
  test('asks about what its labs need, and loads rules where no packet passes', async () => {
    const checks = await checksOf({ topology: forwarder })
    expect([...checks.keys()]).toEqual([
      'user-namespaces',
      'path',
      'iproute2',
      'tcpdump',
      'nftables',
      'iptables',
      'cpus',
      'governor',
      'load',
    ])
    expect(checks.get('nftables')?.seen).toMatch(/^nftables \d/)
    expect(checks.get('iptables')?.seen).toMatch(/^iptables \S+ \((nf_tables|legacy)\)$/)
  })

  test.each([
    [
      'nft',
      'nftables',
      [
        'nodeport-nftables',
        'nodeport-iptables',
        'pod-device-conntrack',
        'load-balancing',
        'cluster-ip',
        'cluster-ip-socket',
        'cluster-ip-tc',
        'cluster-ip-iptables',
      ],
    ],
    ['ip6tables-restore', 'iptables', ['nodeport-iptables', 'cluster-ip-iptables']],
  ] as const)('a kernel that takes no rules of %s is named by the tool’s own words', async (program, id, blocks) => {
    const refuse = 'echo "Error: Could not process rule: Operation not supported" >&2; exit 1'
    const script = `case "$*" in *--version*) exec ${realPath(program)} "$@" ;; *) ${refuse} ;; esac`
    const checks = await checksOf({ topology: forwarder, env: toolsOf({ [program]: script }) })
    expect(checks.get(id)).toMatchObject({ status: 'failed', seen: containing('Operation not supported'), blocks })
  })
})

test('about pods’ devices it asks for netperf and nftables, and not for BIG TCP', async () => {
  const checks = await checksOf({ topology: devices })
  const asked = ['user-namespaces', 'path', 'iproute2', 'netperf', 'netperf-demo', 'iperf3', 'nftables']
  const netkit = createThisMachine({}).primitives.netkit === null ? ['netkit'] : []
  expect([...checks.keys()]).toEqual([...asked, ...netkit, 'cpus', 'governor', 'load'])
})

describe('about translation between IPv4 and IPv6', () => {
  const asked = ['user-namespaces', 'path', 'iproute2', 'netperf', 'netperf-demo', 'iperf3', 'tcpdump']
  const here = createThisMachine({})

  /** On a machine that gives, or refuses, TUN devices, and lacks a program. */
  async function checksWith(tun: string | null, missing: string | null = null): Promise<Map<string, Check>> {
    const machine = {
      ...here,
      primitives: { ...here.primitives, tun },
      findProgram: (program: string) => (program === missing ? Promise.resolve(null) : here.findProgram(program)),
    }
    const testbed = netnsTestbed({ topology: gateway, machine })
    onTestFinished(() => testbed.close())
    const checks = new Map<string, Check>()
    for await (const check of testbed.preflight(note())) checks.set(check.id, check)
    return checks
  }

  test('the preflight looks for programs that open pages and resolve names, and for tayga, each with its version', async () => {
    const checks = await checksWith(null)
    const programs = ['curl', 'drill', 'ping', 'unbound', 'tayga']
    expect([...checks.keys()]).toEqual([...asked, ...programs, 'tun', 'cpus', 'governor', 'load'])
    for (const id of programs) {
      expect(checks.get(id)).toMatchObject({ status: 'passed', seen: expect.stringMatching(/ \d+(\.\d+|$)/) as string })
    }
    expect(checks.get('tun')?.status).toBe('passed')
  })

  test('a user who may not open /dev/net/tun gets the command that allows it, and no check of tayga', async () => {
    const checks = await checksWith('This user may not open /dev/net/tun.')
    expect(checks.has('tayga')).toBe(false)
    expect(checks.get('tun')).toMatchObject({
      status: 'failed',
      seen: 'This user may not open /dev/net/tun.',
      remedyCommand: containing('chmod 0666 /dev/net/tun'),
      blocks: ['translator-tayga'],
    })
  })

  test.each([
    ['unbound', 'unbound', 'translator-pages'],
    ['drill', 'ldnsutils', 'translator-pages'],
    ['ping', 'iputils-ping', 'translator-pages'],
    ['tayga', 'tayga', 'translator-tayga'],
  ] as const)('without %s it names the package', async (program, name, capability) => {
    const checks = await checksWith(null, program)
    expect(checks.get(program)).toMatchObject({
      status: 'failed',
      remedy: `Install ${name}, then try again.`,
      remedyCommand: 'npm run tools -- families',
      blocks: [capability],
    })
  })
})

test('a machine that should have netkit is asked for a pair, and the tool’s words are shown where it gets none', async () => {
  const here = createThisMachine({})
  const machine = { ...here, primitives: { ...here.primitives, netkit: null } }
  const testbed = netnsTestbed({ topology: devices, machine })
  onTestFinished(() => testbed.close())
  const checks: Check[] = []
  for await (const check of testbed.preflight(note())) checks.push(check)
  const netkit = checks.find(({ id }) => id === 'netkit')
  if (here.primitives.netkit === null) {
    expect(netkit?.status).toBe('passed')
    return
  }
  expect(netkit).toMatchObject({ status: 'failed', blocks: ['pod-device-netkit', 'pod-device-netkit-bpf'] })
  expect(netkit?.seen).toMatch(/Unknown device type|not supported/i)
  expect(netkit?.remedy).toContain('iproute2 6.7')
})
