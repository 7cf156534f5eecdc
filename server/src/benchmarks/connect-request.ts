/** One TCP_CRR run between the pods: for each request a connection of its own. */
import { CLIENT } from '@expresslane/shared/testbed/placement'
import { tcpCrrArgv } from '../tools/netperf/tcp-crr.ts'
import type { RunBenchmark } from './invocation.ts'
import { runTransactions } from './transactions.ts'

/** @throws LabError what netperf's reader and the testbed throw; `signal.reason` */
export const runConnectRequest: RunBenchmark = async ({ address, seconds, repeat }, context) => {
  const startedAt = context.now()
  const client = { target: CLIENT, argv: tcpCrrArgv(address, Math.ceil(seconds)) }
  const { tps, latency, elapsedSeconds, retransmits } = await runTransactions(client, repeat, context.testbed, context)
  return { startedAt, elapsedSeconds, values: { tps, ...latency, retransmits }, after: null }
}
