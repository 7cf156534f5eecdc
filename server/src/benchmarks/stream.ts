/** Measures one TCP stream from client to server at full speed, whichever tool sends it. */
import { LabError } from '@expresslane/shared/base/errors'
import { CLIENT, SERVER } from '@expresslane/shared/testbed/placement'
import { payloadPerPacket } from '../tools/tcp-counters.ts'
import type { StreamReader, StreamResult } from '../tools/stream-reader.ts'
import { busySeconds, readCpuTimes, type CpuTimes } from './cpu-time.ts'
import { readPairCounters } from './pod-counters.ts'
import type { BenchmarkContext, Invocation, Measured } from './invocation.ts'

const BITS_A_GIGABIT = 1e9

/** The result of a client, and how busy the machines were meanwhile. */
interface Ran {
  readonly result: StreamResult
  readonly before: CpuTimes | null
  readonly after: CpuTimes | null
}

/** Runs a client in its pod and emits each interval as it arrives. */
export async function runStreamClient(
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

/**
 * A stream's throughput, payload per packet and CPU time.
 *
 * @param runTool runs the client, with {@link runStreamClient}
 * @throws LabError the errors of the tool's reader and the testbed; `signal.reason`
 */
export async function measureStream(
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
