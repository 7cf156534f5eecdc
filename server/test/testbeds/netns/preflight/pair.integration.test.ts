import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { check as checkSchema, type Check } from '@expresslane/shared/testbed/testbed'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { note, run, sides } from '../../../contract/contract-kit.ts'
import { pair, pairOf } from '../../../support/runs/pair.ts'
import { bigTcp } from '../../../support/runs/settings.ts'
import { readFixture } from '../../../tools/fixture.ts'
import { realPath, toolsOf } from '../tools-of.ts'
import { checksOf, containing, filesWith, testbedFor } from './preflight-kit.ts'

/** `ip` as iproute2 6.1 prints: all but the IPv4 sizes. */
function oldIp(): string {
  const real = realPath('ip')
  const version = readFixture('versions/iproute2-6.1').lines.join('\n')
  return [
    'case "$*" in',
    `-V) echo '${version}' ;;`,
    `*-j*) ${real} "$@" | sed -E 's/"g[sr]o_ipv4_max_size":[0-9]+,//g' ;;`,
    `*) exec ${real} "$@" ;;`,
    'esac',
  ].join('\n')
}

test('asks about everything the labs need, in this order', async () => {
  expect([...(await checksOf({})).keys()]).toEqual([
    'kernel-ipv6',
    'kernel-ipv4',
    'user-namespaces',
    'path',
    'iproute2',
    'netperf',
    'netperf-demo',
    'iperf3',
    'tcpdump',
    'nftables',
    'iptables',
    'cpus',
    'governor',
    'load',
  ])
})

describe('the kernel', () => {
  test.each([
    ['5.15.0-91-generic', ['failed', 'failed']],
    ['5.19.17', ['passed', 'failed']],
    ['6.1.0-18-amd64', ['passed', 'failed']],
    ['6.3.0', ['passed', 'passed']],
    ['unheard-of', ['failed', 'failed']],
  ])('%s', async (release, statuses) => {
    const checks = await checksOf(filesWith({ '/proc/sys/kernel/osrelease': `${release}\n` }))
    const [six, four] = [checks.get('kernel-ipv6'), checks.get('kernel-ipv4')]
    expect([six?.status, four?.status]).toEqual(statuses)
    expect(six?.blocks).toEqual(statuses[0] === 'failed' ? ['big-tcp-ipv6'] : [])
    expect(four?.blocks).toEqual(statuses[1] === 'failed' ? ['big-tcp-ipv4'] : [])
  })
})

describe('user namespaces', () => {
  test('really refused by user.max_user_namespaces, and that is named', () => {
    const script = fileURLToPath(new URL('../stand-ins/checks.ts', import.meta.url))
    // A limit holds for the user namespace that it is written in, so the host keeps its own.
    const refuse = 'echo 0 >/proc/sys/user/max_user_namespaces && exec "$0" "$1"'
    const argv = ['--user', '--map-root-user', 'sh', '-c', refuse, process.execPath, script]
    const checks = z.array(checkSchema).parse(JSON.parse(execFileSync('unshare', argv, { encoding: 'utf8' })))
    expect(checks.find(({ id }) => id === 'user-namespaces')).toMatchObject({
      status: 'failed',
      seen: containing('unshare'),
      remedy: containing('user.max_user_namespaces is 0'),
      remedyCommand: 'sudo sysctl -w user.max_user_namespaces=15000',
      blocks: 'all',
    })
  })

  test.each([
    ['/proc/sys/kernel/apparmor_restrict_unprivileged_userns', '1', 'AppArmor'],
    ['/proc/sys/kernel/unprivileged_userns_clone', '0', 'kernel.unprivileged_userns_clone'],
    ['/proc/sys/user/max_net_namespaces', '2', 'user.max_net_namespaces'],
  ])('refused where %s is %s: the remedy names it', async (path, value, named) => {
    const unshare = 'echo "unshare: write failed /proc/self/uid_map: Operation not permitted" >&2; exit 1'
    const options = { ...filesWith({ [path]: `${value}\n` }), env: toolsOf({ unshare }) }
    const denied = (await checksOf(options)).get('user-namespaces')
    expect(denied).toMatchObject({
      status: 'failed',
      seen: containing('uid_map: Operation not permitted'),
    })
    expect(denied?.remedy).toContain(named)
    expect(denied?.remedyCommand).toMatch(/^sudo sysctl -w /)
    await expect(testbedFor(options).deploy(pair, 'other-node', note())).rejects.toMatchObject({
      code: 'namespaces_denied',
    })
  })
})

describe('ip', () => {
  test('6.1 shows no IPv4 sizes: IPv4 is blocked, and IPv6 works', async () => {
    const env = toolsOf({ ip: oldIp() })
    expect((await checksOf({ env })).get('iproute2')).toMatchObject({
      status: 'failed',
      seen: containing('iproute2 6.1.0'),
      blocks: ['big-tcp-ipv4'],
    })
    const testbed = testbedFor({ env })
    await expect(testbed.set(bigTcp({ ipv4: true }), note())).rejects.toMatchObject({ code: 'tool_too_old' })
    const state = await testbed.set(bigTcp({ ipv6: true }), note())
    expect(state.settings).toMatchObject(bigTcp({ ipv4: false, ipv6: true }))
    for (const node of sides(state).nodes) expect(node).toMatchObject({ gsoMaxSize: 196_608, gsoIpv4MaxSize: null })
    expect(pairOf(await testbed.deploy(pair, 'other-node', note())).client.name).toBe('pod1')
  })

  test('an `ip` that does not take the sizes: datapath_not_taken, with what was expected and seen', async () => {
    const ip = `case "$*" in *"link set dev eth0"*) ;; *) exec ${realPath('ip')} "$@" ;; esac`
    const testbed = testbedFor({ env: toolsOf({ ip }) })
    await expect(testbed.set(bigTcp({ ipv4: true }), note())).rejects.toMatchObject({
      code: 'datapath_not_taken',
      detail: containing('node1/eth0 gso_ipv4_max_size: expected 196608, seen 65536'),
    })
  })
})

describe('netperf', () => {
  test.each(['netperf', 'netserver'] as const)('without %s', async (program) => {
    const env = toolsOf({ [program]: null })
    const checks = await checksOf({ env })
    expect(checks.get('netperf')).toMatchObject({
      status: 'failed',
      seen: containing(program),
      blocks: 'topology',
      remedyCommand: 'npm run tools -- core',
    })
    expect(checks.get('path')?.status).toBe('passed')
  })

  test('without netserver a deploy is refused and leaves no pods', async () => {
    const testbed = testbedFor({ env: toolsOf({ netserver: null }) })
    await expect(testbed.deploy(pair, 'other-node', note())).rejects.toMatchObject({ code: 'tool_missing' })
    expect(sides(await testbed.read(note())).pods).toEqual([])
  })

  test('a netserver that does not start is reported with its own output', async () => {
    const netserver = 'echo "Unable to start netserver" >&2; exit 1'
    const testbed = testbedFor({ env: toolsOf({ netserver }) })
    await expect(testbed.deploy(pair, 'other-node', note())).rejects.toMatchObject({
      code: 'tool_failed',
      detail: 'Unable to start netserver',
    })
  })

  test('without demo mode', async () => {
    const lines = readFixture('netperf/2.7.0-no-demo').lines.map((line) => `echo '${line}'`)
    const checks = await checksOf({ env: toolsOf({ netperf: lines.join('\n') }) })
    expect(checks.get('netperf')?.status).toBe('passed')
    expect(checks.get('netperf-demo')).toMatchObject({ status: 'warning', seen: containing('Demo Mode') })
  })
})

describe('tools that only some labs need', () => {
  test.each([
    ['iperf3', ['iperf3']],
    ['tcpdump', ['load-balancing-replies', 'cluster-ip-capture', 'capture']],
  ] as const)('without %s there is no %j, and all else goes on', async (program, capabilities) => {
    const env = toolsOf({ [program]: null })
    const checks = await checksOf({ env })
    expect(checks.get(program)).toMatchObject({
      status: 'failed',
      seen: containing(`${program} is not in`),
      remedyCommand: 'npm run tools -- core',
      blocks: capabilities,
    })
    expect(checks.get('netperf')?.status).toBe('passed')
    expect(Object.keys((await testbedFor({ env }).facts(note())).versions)).not.toContain(program)
  })

  test.each([
    ['iperf 3.12 (cJSON 1.7.15)', 'iperf3 3.12; live results as text (as JSON from version 3.17 on)'],
    ['iperf 3.18 (cJSON 1.7.15)', 'iperf3 3.18; live results as JSON'],
    ['iperf of my own', 'iperf3 of unknown version; live results as text (as JSON from version 3.17 on)'],
  ])('%s', async (said, seen) => {
    const checks = await checksOf({ env: toolsOf({ iperf3: `echo '${said}'` }) })
    expect(checks.get('iperf3')).toMatchObject({ status: 'passed', seen })
  })

  test('a tool that does not run is reported with its own output, and blocks only its own labs', async () => {
    const tcpdump = 'echo "libpcap.so: cannot open shared object file" >&2; exit 127'
    const checks = await checksOf({ env: toolsOf({ tcpdump }) })
    expect(checks.get('tcpdump')).toMatchObject({
      status: 'failed',
      seen: containing('libpcap.so'),
      blocks: ['load-balancing-replies', 'cluster-ip-capture', 'capture'],
    })
  })

  test('a capture without tcpdump is refused with how to install it', async () => {
    const testbed = testbedFor({ env: toolsOf({ tcpdump: null }) })
    await expect(run(testbed, 'capture:node1', ['tcpdump', '--version'])).rejects.toMatchObject({
      code: 'tool_missing',
      remedyCommand: 'npm run tools -- core',
    })
  })
})

describe('CPUs', () => {
  const governor = '/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor'
  const cpuinfo = (count: number): string =>
    Array.from({ length: count }, (_, index) => `processor\t: ${index}\nmodel name\t: Some CPU\n`).join('\n')

  test('a single CPU, saving power, and busy: three warnings that block nothing', async () => {
    const files = { '/proc/cpuinfo': cpuinfo(1), [governor]: 'powersave\n', '/proc/loadavg': '3.50 1 1 2/99 1\n' }
    const checks = await checksOf(filesWith(files))
    for (const id of ['cpus', 'governor', 'load'])
      expect(checks.get(id)).toMatchObject({ status: 'warning', blocks: [] })
  })

  test('four, steady, and quiet', async () => {
    const files = { '/proc/cpuinfo': cpuinfo(4), [governor]: 'performance\n', '/proc/loadavg': '0.10 1 1 2/99 1\n' }
    const checks = await checksOf(filesWith(files))
    for (const id of ['cpus', 'governor', 'load']) expect(checks.get(id)?.status).toBe('passed')
  })

  test('a governor that the kernel does not expose is unknown', async () => {
    const testbed = testbedFor(filesWith({ [governor]: null }))
    expect((await testbed.facts(note())).cpu.governor).toBeNull()
  })
})

test('cancelled, it rejects with the reason and finds nothing', async () => {
  const abort = new AbortController()
  const found: Check[] = []
  await expect(async () => {
    for await (const check of testbedFor({}).preflight(note(abort.signal))) {
      found.push(check)
      abort.abort(new Error('no more'))
    }
  }).rejects.toThrow('no more')
  expect(found.every(({ status }) => status === 'passed')).toBe(true)
})
