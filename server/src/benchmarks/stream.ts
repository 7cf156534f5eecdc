/** One TCP stream from client to server at full speed. */
import { iperf3Benchmark, tcpStreamBenchmark } from '@expresslane/shared/measure/benchmarks/streams'
import { LabError } from '@expresslane/shared/base/errors'
import { CLIENT, SERVER } from '@expresslane/shared/testbed/placement'
import { payloadPerPacket } from '../tools/tcp-counters.ts'
import { createTcpStreamReader, tcpStreamArgv } from '../tools/netperf/stream.ts'
import type { StreamReader, StreamResult } from '../tools/stream-reader.ts'
import { busySeconds, readCpuTimes, type CpuTimes } from './cpu-time.ts'
import { readPairCounters } from './pod-counters.ts'
import { withIperf3 } from './iperf3-server.ts'
import type { BenchmarkContext, Invocation, Measured, RunBenchmark } from './invocation.ts'

const BITS_A_GIGABIT = 1e9

/** The result of a client, and how busy the machines were meanwhile. */
interface Ran {
  readonly result: StreamResult
  readonly before: CpuTimes | null
  readonly after: CpuTimes | null
}

/** Runs a client in its pod and emits each interval as it arrives. */
async function runClient(
  { repeat }: Invocation,
  argv: readonly string[],
  reader: StreamReader,
  context: BenchmarkContext,
): Promise<Ran> {
  const { testbed, emit } = context
  const before = await readCpuTimes(testbed, [CLIENT, SERVER], context)
  let ended: { code: number | null; signal: string | null } = { code: null, signal: null }
  for await (const item of testbed.exec(CLIENT, argv, context)) {
    if (item.type === 'exit') {
      ended = item
      continue
    }
    const interval = reader.read(item.text)
    if (interval === null) continue
    const { atSeconds, seconds, omitted, bitsPerSecond: throughput, retransmits, cwnd } = interval
    const sample = { atSeconds, seconds, omitted, values: { throughput, retransmits, cwnd } }
    emit({ type: 'sample.taken', repeat, sample })
  }
  const after = await readCpuTimes(testbed, [CLIENT, SERVER], context)
  return { result: reader.finish(ended), before, after }
}

/** @throws LabError what the tool's reader and the testbed throw; `signal.reason` */
async function measure(
  invocation: Invocation,
  context: BenchmarkContext,
  runTool: () => Promise<Ran>,
): Promise<Measured> {
  if (!Number.isInteger(invocation.seconds)) {
    throw new LabError('bad_request', 'A stream is measured for whole seconds only.', 'Choose whole seconds.')
  }
  const before = invocation.before ?? (await readPairCounters(context.testbed, context))
  const startedAt = context.now()
  const ran = await runTool()
  const after = await readPairCounters(context.testbed, context)
  const { payloadBytes, throughput, retransmits, elapsedSeconds } = ran.result
  const busy = busySeconds(ran.before, ran.after)
  // Counters and CPU time cover the whole stream, including the seconds that iperf3 omits.
  const gigabits = (payloadBytes * 8) / BITS_A_GIGABIT
  const values = {
    throughput,
    bytesPerPacket: payloadPerPacket(before, after, payloadBytes),
    cpuSecondsPerGigabit: busy === null || gigabits <= 0 ? null : busy / gigabits,
    retransmits,
  }
  return { startedAt, elapsedSeconds, values, after }
}

export const runTcpStream: RunBenchmark = (invocation, context) => {
  const { address, seconds, benchmark } = invocation
  const { intervalSeconds } = tcpStreamBenchmark.parse(benchmark)
  const argv = tcpStreamArgv({ address, seconds, intervalSeconds })
  return measure(invocation, context, () => runClient(invocation, argv, createTcpStreamReader(), context))
}

export const runIperf3: RunBenchmark = (invocation, context) => {
  const { address, seconds, benchmark } = invocation
  const { intervalSeconds, omitSeconds } = iperf3Benchmark.parse(benchmark)
  return measure(invocation, context, () =>
    withIperf3({ address, seconds, omitSeconds, intervalSeconds }, context, (argv, reader) =>
      runClient(invocation, argv, reader, context),
    ),
  )
}
