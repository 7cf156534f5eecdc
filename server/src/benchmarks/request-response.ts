/** One TCP_RR run between the pods, and the number of packets that it took. */
import { tcpRrBenchmark, type TcpRrBenchmark } from '@expresslane/shared/measure/benchmarks/tcp-rr'
import { CLIENT } from '@expresslane/shared/testbed/placement'
import { payloadRate } from '@expresslane/shared/measure/units'
import { createTcpRrReader, tcpRrArgv, type TcpRrResult } from '../tools/netperf/netperf.ts'
import { packetRate } from '../tools/tcp-counters.ts'
import { readPairCounters } from './pod-counters.ts'
import type { BenchmarkContext, Invocation, Measured, RunBenchmark } from './invocation.ts'

async function runNetperf(
  { address, seconds, repeat }: Invocation,
  { requestBytes, responseBytes }: TcpRrBenchmark,
  context: BenchmarkContext,
): Promise<TcpRrResult> {
  const argv = tcpRrArgv({ address, seconds, requestBytes, responseBytes })
  const reader = createTcpRrReader()
  let ended: { code: number | null; signal: string | null } = { code: null, signal: null }
  for await (const item of context.testbed.exec(CLIENT, argv, context)) {
    if (item.type === 'exit') {
      ended = item
      continue
    }
    const sample = reader.read(item.text)
    if (sample === null) continue
    const { atSeconds, tps } = sample
    const taken = { atSeconds, seconds: null, omitted: false, values: { tps } }
    context.emit({ type: 'sample.taken', repeat, sample: taken })
  }
  return reader.finish(ended)
}

/** @throws LabError what netperf's reader and the testbed throw; `signal.reason` */
export const runRequestResponse: RunBenchmark = async (invocation, context): Promise<Measured> => {
  const benchmark = tcpRrBenchmark.parse(invocation.benchmark)
  const before = invocation.before ?? (await readPairCounters(context.testbed, context))
  const startedAt = context.now()
  const { tps, latency, elapsedSeconds, retransmits } = await runNetperf(invocation, benchmark, context)
  const after = await readPairCounters(context.testbed, context)
  const packets = packetRate(before, after, tps * elapsedSeconds)
  const values = {
    tps,
    throughput: payloadRate(tps, benchmark.requestBytes),
    ...latency,
    packetsPerRequest: packets?.perRequest ?? null,
    packetsPerResponse: packets?.perResponse ?? null,
    acks: packets?.acks ?? null,
    retransmits,
  }
  return { startedAt, elapsedSeconds, values, after }
}
