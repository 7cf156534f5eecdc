/** One TCP_RR run between the pods, and the packets that it took. */
import type { RequestResponseBenchmark } from '@expresslane/shared/measure/benchmark'
import type { RequestResponseMeasurement } from '@expresslane/shared/measure/measurement'
import { CLIENT } from '@expresslane/shared/testbed/placement'
import { payloadRate } from '@expresslane/shared/measure/units'
import { createTcpRrReader, tcpRrArgv, type TcpRrResult } from '../../tools/netperf.ts'
import { packetRate } from '../../tools/tcp-counters.ts'
import type { Performance } from '../performance.ts'
import { readPairCounters } from '../pod-counters.ts'
import type { Counted, Invocation } from './invocation.ts'

async function runNetperf(
  { address, seconds, repeat }: Invocation,
  { requestBytes, responseBytes }: RequestResponseBenchmark,
  performance: Performance,
): Promise<TcpRrResult> {
  const argv = tcpRrArgv({ address, seconds, requestBytes, responseBytes })
  const reader = createTcpRrReader()
  let ended: { code: number | null; signal: string | null } = { code: null, signal: null }
  for await (const item of performance.testbed.exec(CLIENT, argv, performance)) {
    if (item.type === 'exit') {
      ended = item
      continue
    }
    const sample = reader.read(item.text)
    if (sample !== null) performance.emit({ type: 'sample.taken', repeat, ...sample })
  }
  return reader.finish(ended)
}

/** @throws LabError what netperf's reader and the testbed throw; `signal.reason` */
export async function runRequestResponse(
  invocation: Invocation,
  benchmark: RequestResponseBenchmark,
  performance: Performance,
): Promise<Counted<RequestResponseMeasurement>> {
  const { arm, caseId, family, repeat, warmup, fingerprint } = invocation
  const { requestBytes, responseBytes } = benchmark
  const before = invocation.before ?? (await readPairCounters(performance.testbed, performance))
  const startedAt = performance.now()
  const result = await runNetperf(invocation, benchmark, performance)
  const after = await readPairCounters(performance.testbed, performance)
  const measurement = {
    tool: benchmark.tool,
    arm,
    caseId,
    family,
    repeat,
    warmup,
    startedAt,
    requestBytes,
    responseBytes,
    ...result,
    throughput: payloadRate(result.tps, requestBytes),
    packets: packetRate(before, after, result.tps * result.elapsedSeconds),
    fingerprint,
  }
  return { measurement, after }
}
