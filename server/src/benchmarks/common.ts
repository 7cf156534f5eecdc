/** The runners of the tools that any two pods can run. */
import type { commonBenchmarks } from '@expresslane/shared/measure/benchmarks/common'
import { CLIENT } from '@expresslane/shared/testbed/placement'
import { tcpCrrArgv } from '../tools/netperf/tcp-crr.ts'
import type { RunBenchmark } from './invocation.ts'
import { runRequestResponse } from './request-response.ts'
import { runIperf3, runTcpStream } from './stream.ts'
import { runTransactions } from './transactions.ts'

/**
 * One TCP_CRR run between the pods: for each request a connection of its own.
 *
 * @throws LabError what netperf's reader and the testbed throw; `signal.reason`
 */
const runConnectRequest: RunBenchmark = async ({ address, seconds, repeat }, context) => {
  const startedAt = context.now()
  const client = { target: CLIENT, argv: tcpCrrArgv(address, Math.ceil(seconds)) }
  const { tps, latency, elapsedSeconds, retransmits } = await runTransactions(client, repeat, context.testbed, context)
  return { startedAt, elapsedSeconds, values: { tps, ...latency, retransmits }, after: null }
}

/** By tool. A tool without a runner does not compile. */
export const commonRunners: Readonly<Record<(typeof commonBenchmarks)[number]['tool'], RunBenchmark>> = {
  'tcp-rr': runRequestResponse,
  'tcp-crr': runConnectRequest,
  'tcp-stream': runTcpStream,
  iperf3: runIperf3,
}
