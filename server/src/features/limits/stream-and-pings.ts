/** One stream at full speed, and pings from the same pod meanwhile. */
import { PINGS_A_SECOND } from '@expresslane/shared/features/limits/benchmarks'
import { minOf } from '@expresslane/shared/measure/extremes'
import { median } from '@expresslane/shared/measure/measurement'
import { CLIENT } from '@expresslane/shared/testbed/placement'
import type { BenchmarkContext, Invocation, RunBenchmark } from '../../benchmarks/invocation.ts'
import { createTcpStreamReader, tcpStreamArgv } from '../../tools/netperf/stream.ts'
import { parseEchoTime, pingsArgv } from '../../tools/ping.ts'
import type { StreamResult } from '../../tools/stream-reader.ts'

async function stream({ address, seconds }: Invocation, context: BenchmarkContext): Promise<StreamResult> {
  const reader = createTcpStreamReader()
  let ended: { code: number | null; signal: string | null } = { code: null, signal: null }
  for await (const item of context.testbed.exec(
    CLIENT,
    tcpStreamArgv({ address, seconds, intervalSeconds: 1 }),
    context,
  )) {
    if (item.type === 'exit') ended = item
    else reader.read(item.text)
  }
  return reader.finish(ended)
}

/** @returns the milliseconds of each answered ping after the first second */
async function pings({ address, seconds, repeat }: Invocation, context: BenchmarkContext): Promise<number[]> {
  const { testbed, emit } = context
  const every = 1 / PINGS_A_SECOND
  const argv = pingsArgv(address, seconds * PINGS_A_SECOND, every)
  const found: number[] = []
  for await (const item of testbed.exec(CLIENT, argv, context)) {
    const echo = item.type === 'line' ? parseEchoTime(item.text) : null
    if (echo === null) continue
    if (echo.sequence > PINGS_A_SECOND) found.push(echo.milliseconds)
    const values = { streamPing: echo.milliseconds }
    emit({
      type: 'sample.taken',
      repeat,
      sample: { atSeconds: echo.sequence * every, seconds: every, omitted: false, values },
    })
  }
  return found
}

/** @throws LabError the errors of netperf's reader and the testbed; `signal.reason` */
export const runStreamAndPings: RunBenchmark = async (invocation, context) => {
  const startedAt = context.now()
  const [sent, echoed] = await Promise.allSettled([stream(invocation, context), pings(invocation, context)])
  if (sent.status === 'rejected') throw sent.reason
  if (echoed.status === 'rejected') throw echoed.reason
  const { throughput, retransmits, elapsedSeconds } = sent.value
  const times = echoed.value
  const values = {
    streamRate: throughput,
    streamPing: times.length === 0 ? null : median(times),
    leastPing: times.length === 0 ? null : minOf(times),
    retransmits,
  }
  return { startedAt, elapsedSeconds, values, after: null }
}
