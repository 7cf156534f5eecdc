/**
 * Records the fixtures of the stream tools, of captures and of CPU time again, on the netns testbed:
 * `node server/test/tools/record/streams.ts [NEW_IPERF3...]`, NEW_IPERF3 being the words that run an iperf3 of 3.17 or
 * newer. Debian 13 has 3.18: `apt-get download` iperf3, libiperf0, libsctp1, libssl3t64 and libc6 of it, `dpkg -x` each
 * into one folder, and begin with its `ld-linux-x86-64.so.2 --library-path`.
 */
import { familyName, bytes, type Family } from '@expresslane/shared/base/units'
import { netnsTestbed } from '../../support/netns.ts'
import type { CallContext } from '../../../src/testbeds/testbed.ts'
import { iperf3ClientArgv, iperf3ServerArgv, isListening } from '../../../src/tools/iperf3/iperf3.ts'
import { tcpStreamArgv } from '../../../src/tools/netperf/stream.ts'
import { transactionsArgv } from '../../../src/tools/netperf/netperf.ts'
import { procStatArgv } from '../../../src/tools/proc-stat.ts'
import { createTcpdumpReader, dataFilter, isWatching, tcpdumpArgv } from '../../../src/tools/tcpdump.ts'
import { followDataConnection } from '../../../src/tools/data-connection.ts'
import { parseVersion, versionArgv, type VersionedTool } from '../../../src/tools/versions.ts'
import { writeFixture, type Line } from '../fixture.ts'
import { createRecorder } from './recorder.ts'
import { pair, pairOf } from '../../support/runs/pair.ts'
import { bigTcp } from '../../support/runs/settings.ts'

const families = Object.keys(familyName) as Family[]
const PORT = 5201

const testbed = netnsTestbed()
const context: CallContext = { signal: AbortSignal.timeout(300_000), emit: () => {} }
const { record, save } = createRecorder(testbed, context)

async function versionOf(tool: VersionedTool, prefix: readonly string[] = [tool]): Promise<string> {
  const lines: string[] = []
  for await (const item of testbed.exec('node:node1', [...prefix, ...versionArgv(tool).slice(1)], context)) {
    if (item.type === 'line') lines.push(item.text)
  }
  return parseVersion(tool, lines.join('\n')) ?? 'unknown'
}

/** Runs `work` while a one-off iperf3 server listens. */
async function withServer(work: () => Promise<unknown>): Promise<void> {
  const listening = Promise.withResolvers<void>()
  const served = (async () => {
    for await (const item of testbed.exec('server', iperf3ServerArgv(PORT), context)) {
      if (item.type === 'line' && isListening(item.text)) listening.resolve()
    }
  })()
  await listening.promise
  await work()
  await served
}

async function recordIperf3(name: string, version: string, address: string, prefix = ['iperf3']): Promise<void> {
  const of = { address, port: PORT, seconds: 2, omitSeconds: 1, intervalSeconds: 1, version }
  const typed = iperf3ClientArgv(of)
  const run = (): Promise<unknown> =>
    record(`iperf3/${version}-${name}`, 'client', [...prefix, ...typed.slice(1)], undefined, typed)
  await (name === 'refused' ? run() : withServer(run))
}

/** From the third request on, requests have their full size. */
const TRANSACTIONS = 4

async function recordCapture(name: string, address: string): Promise<void> {
  const size = bytes.parse(80_000)
  const reader = createTcpdumpReader()
  const connection = followDataConnection(address)
  const lines: Line[] = []
  const argv = tcpdumpArgv('eth0', dataFilter(address))
  for await (const item of testbed.exec('capture:node1', argv, context)) {
    if (item.type === 'exit') throw new Error('tcpdump ended')
    lines.push(item)
    if (isWatching(item.text)) {
      const netperf = transactionsArgv({ address, requestBytes: size, responseBytes: size }, TRANSACTIONS)
      for await (const line of testbed.exec('client', netperf, context)) void line
    }
    const frame = reader.read(item.text)
    if (frame !== null) connection.add(frame)
    // tcpdump runs until leaving the loop stops it.
    if (connection.ended()) break
  }
  await save(name, writeFixture(argv.join(' '), lines, { type: 'exit', code: null, signal: 'SIGTERM' }))
}

try {
  const newIperf3 = process.argv.slice(2)
  const { kernel } = await testbed.facts(context)
  await testbed.deploy(pair, 'other-node', context)
  const versions = { netperf: await versionOf('netperf'), tcpdump: await versionOf('tcpdump') }
  const iperf3s = [['iperf3'], ...(newIperf3.length === 0 ? [] : [newIperf3])]
  for (const arm of ['off', 'on'] as const) {
    await testbed.set(bigTcp({ ipv4: arm === 'on', ipv6: arm === 'on' }), context)
    const { server } = pairOf(await testbed.deploy(pair, 'other-node', context))
    for (const family of families) {
      const address = server.addresses[family] ?? ''
      for (const prefix of iperf3s) {
        await recordIperf3(`${family}-${arm}`, await versionOf('iperf3', prefix), address, prefix)
      }
      const stream = tcpStreamArgv({ address, seconds: 2, intervalSeconds: 1 })
      await record(`netperf/${versions.netperf}-tcp-stream-${family}-${arm}`, 'client', stream)
      await recordCapture(`tcpdump/${versions.tcpdump}-${family}-${arm}`, address)
    }
  }
  for (const prefix of iperf3s) await recordIperf3('refused', await versionOf('iperf3', prefix), '127.0.0.1', prefix)
  await withServer(async () => {
    await record(`iperf3/${await versionOf('iperf3')}-port-taken`, 'server', iperf3ServerArgv(PORT))
    for await (const line of testbed.exec('server', ['iperf3', '-c', '127.0.0.1', '-t', '1'], context)) void line
  })
  await record(`linux/${kernel.split('.').slice(0, 2).join('.')}-proc-stat`, 'client', procStatArgv)
} finally {
  await testbed.close()
}
