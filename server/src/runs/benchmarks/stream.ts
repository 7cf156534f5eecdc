/** One TCP stream from client to server, as fast as it goes. */
import type { StreamBenchmark } from '@expresslane/shared/measure/benchmark'
import { CLIENT, SERVER } from '@expresslane/shared/testbed/placement'
import type { StreamMeasurement } from '@expresslane/shared/measure/measurement'
import { payloadPerPacket } from '../../tools/tcp-counters.ts'
import { createTcpStreamReader, tcpStreamArgv } from '../../tools/netperf-stream.ts'
import type { StreamReader, StreamResult } from '../../tools/stream-reader.ts'
import { busySeconds, readCpuTimes, type CpuTimes } from '../cpu-time.ts'
import type { Performance } from '../performance.ts'
import { readPairCounters } from '../pod-counters.ts'
import { withIperf3 } from './iperf3-server.ts'
import type { Counted, Invocation } from './invocation.ts'

const BITS_A_GIGABIT = 1e9

/** What ran, and how busy the machines were while it did. */
interface Ran {
  readonly result: StreamResult
  readonly before: CpuTimes | null
  readonly after: CpuTimes | null
}

/** Runs a client in its pod, telling each interval as it comes. */
async function runClient(
  { repeat }: Invocation,
  argv: readonly string[],
  reader: StreamReader,
  performance: Performance,
): Promise<Ran> {
  const { testbed, emit } = performance
  const before = await readCpuTimes(testbed, [CLIENT, SERVER], performance)
  let ended: { code: number | null; signal: string | null } = { code: null, signal: null }
  for await (const item of testbed.exec(CLIENT, argv, performance)) {
    if (item.type === 'exit') {
      ended = item
      continue
    }
    const interval = reader.read(item.text)
    if (interval !== null) emit({ type: 'interval.taken', repeat, interval })
  }
  const after = await readCpuTimes(testbed, [CLIENT, SERVER], performance)
  return { result: reader.finish(ended), before, after }
}

function runTool(invocation: Invocation, benchmark: StreamBenchmark, performance: Performance): Promise<Ran> {
  const { address, seconds } = invocation
  const { intervalSeconds, omitSeconds } = benchmark
  if (benchmark.tool === 'tcp-stream') {
    const argv = tcpStreamArgv({ address, seconds, intervalSeconds })
    return runClient(invocation, argv, createTcpStreamReader(), performance)
  }
  return withIperf3({ address, seconds, omitSeconds, intervalSeconds }, performance, (argv, reader) =>
    runClient(invocation, argv, reader, performance),
  )
}

/** @throws LabError what the tool's reader and the testbed throw; `signal.reason` */
export async function runStream(
  invocation: Invocation,
  benchmark: StreamBenchmark,
  performance: Performance,
): Promise<Counted<StreamMeasurement>> {
  const { arm, caseId, family, repeat, warmup, fingerprint } = invocation
  const before = invocation.before ?? (await readPairCounters(performance.testbed, performance))
  const startedAt = performance.now()
  const ran = await runTool(invocation, benchmark, performance)
  const after = await readPairCounters(performance.testbed, performance)
  const { payloadBytes, ...result } = ran.result
  const busy = busySeconds(ran.before, ran.after)
  // Counters and CPU time know nothing of what iperf3 leaves out, so both are held against the whole stream.
  const gigabits = (payloadBytes * 8) / BITS_A_GIGABIT
  const measurement = {
    tool: benchmark.tool,
    arm,
    caseId,
    family,
    repeat,
    warmup,
    startedAt,
    ...result,
    bytesPerPacket: payloadPerPacket(before, after, payloadBytes),
    cpuSecondsPerGigabit: busy === null || gigabits <= 0 ? null : busy / gigabits,
    fingerprint,
  }
  return { measurement, after }
}
