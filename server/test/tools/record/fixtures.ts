/**
 * Records the fixtures again from the tools of this machine, on the netns testbed:
 * `node server/test/tools/record/fixtures.ts [OLD_IP]`, OLD_IP being an `ip` of iproute2 6.1
 * (Debian 12: `apt-get download iproute2=6.1.0-3`, then `dpkg -x` into any folder).
 *
 * `netperf/2.7.0-no-demo.txt` is not recorded: no build without demo mode was at hand. It holds
 * what netperf's source prints in that place.
 */
import { bytes } from '@expresslane/shared/base/units'
import { netnsTestbed } from '../../support/netns.ts'
import type { CallContext } from '../../../src/testbeds/testbed.ts'
import { linkShowAllArgv, linkShowArgv } from '../../../src/tools/ip-link.ts'
import { tcpRrArgv } from '../../../src/tools/netperf/netperf.ts'
import { tcpCountersArgv } from '../../../src/tools/tcp-counters.ts'
import { parseVersion, versionArgv, versionedTools } from '../../../src/tools/versions.ts'
import type { Line } from '../fixture.ts'
import { createRecorder } from './recorder.ts'
import { pair, pairOf } from '../../support/runs/pair.ts'
import { bigTcp } from '../../support/runs/settings.ts'

const testbed = netnsTestbed()
const context: CallContext = { signal: AbortSignal.timeout(300_000), emit: () => {} }

const { record } = createRecorder(testbed, context)

function rr(address: string, seconds = 1): string[] {
  return tcpRrArgv({ address, seconds, requestBytes: bytes.parse(80_000), responseBytes: bytes.parse(80_000) })
}

async function recordVersions(): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const tool of versionedTools) {
    const lines = await record(`versions/${tool}`, 'node:node1', versionArgv(tool))
    found.set(tool, parseVersion(tool, lines.map(({ text }) => text).join('\n')) ?? 'unknown')
  }
  return found
}

async function recordArm(arm: 'off' | 'on', netperf: string, iproute2: string, kernel: string): Promise<void> {
  await testbed.set(bigTcp({ ipv4: arm === 'on', ipv6: arm === 'on' }), context)
  const { server } = pairOf(await testbed.deploy(pair, 'other-node', context))
  for (const family of ['ipv4', 'ipv6'] as const) {
    await record(`netperf/${netperf}-tcp-rr-${family}-${arm}`, 'client', rr(server.addresses[family] ?? ''))
  }
  await record(`iproute2/${iproute2}-path-${arm}`, 'node:node1', linkShowAllArgv())
  for (const role of ['client', 'server'] as const) {
    await record(`linux/${kernel}-tcp-${role}-${arm}`, role, tcpCountersArgv)
  }
}

async function recordFailures(netperf: string): Promise<void> {
  const { server } = pairOf(await testbed.deploy(pair, 'other-node', context))
  const address = server.addresses.ipv4 ?? ''
  await record(`netperf/${netperf}-no-server`, 'client', rr('172.31.0.12'))
  await record(`netperf/${netperf}-no-server-ipv6`, 'client', rr('fd00:31::12'))
  await record(`netperf/${netperf}-unknown-test`, 'client', ['netperf', '-H', address, '-t', 'NO_SUCH_TEST', '-P', '0'])
  await record(`netperf/${netperf}-missing-attribute`, 'client', [
    ...rr(address).slice(0, -1),
    'THROUGHPUT,ELAPSED_TIME',
  ])
  // The namespaces see the host's /proc, whose pids are not theirs: so one of its own for this command.
  const kill = (name: string) => async (): Promise<void> => {
    const script = `mount -t proc proc /proc && pkill -9 -x ${name}`
    for await (const item of testbed.exec('node:node1', ['unshare', '--mount', 'sh', '-c', script], context)) {
      if (item.type === 'exit' && item.code !== 0) throw new Error(`${name} was not killed`)
    }
  }
  const once = (work: () => Promise<void>): ((line: Line) => Promise<void>) => {
    let done = false
    return async ({ text }) => {
      if (done || !text.startsWith('NETPERF_ENDING[1]')) return
      done = true
      await work()
    }
  }
  await record(`netperf/${netperf}-killed`, 'client', rr(address, 5), once(kill('netperf')))
  await record(`netperf/${netperf}-server-died`, 'client', rr(address, 5), once(kill('netserver')))
}

try {
  const { kernel } = await testbed.facts(context)
  const release = kernel.split('.').slice(0, 2).join('.')
  const versions = await recordVersions()
  const netperf = versions.get('netperf') ?? 'unknown'
  await recordArm('off', netperf, versions.get('iproute2') ?? 'unknown', release)
  await recordArm('on', netperf, versions.get('iproute2') ?? 'unknown', release)
  const oldIp = process.argv[2]
  if (oldIp !== undefined) {
    await record('versions/iproute2-6.1', 'node:node1', [oldIp, '-V'])
    await record('iproute2/6.1.0-link', 'node:node1', [oldIp, ...linkShowArgv('eth0').slice(1)])
  }
  await recordFailures(netperf)
} finally {
  await testbed.close()
}
