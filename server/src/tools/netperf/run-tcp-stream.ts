/** Runs netperf's TCP_STREAM from client to server. */
import { tcpStreamBenchmark } from '@expresslane/shared/tools/netperf/tcp-stream'
import type { RunBenchmark } from '../../benchmarks/invocation.ts'
import { measureStream, runStreamClient } from '../../benchmarks/stream.ts'
import { createTcpStreamReader, tcpStreamArgv } from './stream.ts'

/** @throws LabError what netperf's reader and the testbed throw; `signal.reason` */
export const runTcpStream: RunBenchmark = (invocation, context) => {
  const { address, seconds, benchmark } = invocation
  const { intervalSeconds } = tcpStreamBenchmark.parse(benchmark)
  const argv = tcpStreamArgv({ address, seconds, intervalSeconds })
  return measureStream(invocation, context, () => runStreamClient(invocation, argv, createTcpStreamReader(), context))
}
