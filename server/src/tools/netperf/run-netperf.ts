/** Runs netperf between the pods: TCP_RR with the number of packets that it took, TCP_CRR, and TCP_STREAM. */
import { tcpStreamBenchmark } from '@expresslane/shared/tools/netperf/tcp-stream'
import { tcpRrBenchmark, type TcpRrBenchmark } from '@expresslane/shared/tools/netperf/tcp-rr'
import { valueOf, type Measurement } from '@expresslane/shared/measure/measurement'
import { CLIENT } from '@expresslane/shared/testbed/placement'
import { payloadRate } from '@expresslane/shared/base/units'
import { countedTcpRrArgv, tcpCrrArgv, tcpRrArgv, type TcpRrResult } from './netperf.ts'
import { packetRate } from '../tcp-counters.ts'
import { readPairCounters } from '../../benchmarks/pod-counters.ts'
import type { BenchmarkContext, Invocation, Measured, RunBenchmark } from '../../benchmarks/invocation.ts'
import { runTransactions } from './run-transactions.ts'
import { createTcpStreamReader, tcpStreamArgv } from './stream.ts'
import { measureStream, runStreamClient } from '../../benchmarks/stream.ts'

/**
 * The transactions of a run of part of a second, from the rate of the run before: netperf knows whole seconds only. Null
 * to run for seconds: the first run of an arm, often its warm-up, takes a whole second.
 */
function transactionsFor(invocation: Invocation): number | null {
  return Number.isInteger(invocation.seconds) ? null : transactionsAsBefore(invocation)
}

/** A run's length, and the values of its arm's run before. */
interface Length {
  readonly seconds: number
  readonly previous: Pick<Measurement, 'values'> | null
}

/** The transactions of these seconds at the rate of the arm's run before; null if there is none. */
function transactionsAsBefore({ seconds, previous }: Length): number | null {
  const tps = previous === null ? null : valueOf(previous, 'tps')
  return tps === null ? null : Math.max(1, Math.round(tps * seconds))
}

/**
 * netperf's `-l` for TCP_CRR: by transactions, because a run by seconds waits for 4 s at its end. The first run of an arm has no
 * rate to go by, so it is by seconds.
 */
export function crrLength(length: Length): number {
  const transactions = transactionsAsBefore(length)
  return transactions === null ? Math.ceil(length.seconds) : -transactions
}

async function runNetperf(
  { address, seconds, repeat }: Invocation,
  { requestBytes, responseBytes }: TcpRrBenchmark,
  transactions: number | null,
  context: BenchmarkContext,
): Promise<TcpRrResult> {
  const sizes = { address, requestBytes, responseBytes }
  const argv =
    transactions === null ? tcpRrArgv({ ...sizes, seconds: Math.ceil(seconds) }) : countedTcpRrArgv(sizes, transactions)
  return runTransactions({ target: CLIENT, argv }, repeat, context.testbed, context)
}

/**
 * Runs TCP_RR between the pods.
 *
 * @throws LabError the errors of netperf's reader and the testbed; `signal.reason`
 */
export const runTcpRr: RunBenchmark = async (invocation, context): Promise<Measured> => {
  const benchmark = tcpRrBenchmark.parse(invocation.benchmark)
  const before = invocation.before ?? (await readPairCounters(context.testbed, context))
  const startedAt = context.now()
  const transactions = transactionsFor(invocation)
  const result = await runNetperf(invocation, benchmark, transactions, context)
  const { tps, latency, elapsedSeconds, retransmits } = result
  const after = await readPairCounters(context.testbed, context)
  const packets = packetRate(before, after, transactions ?? tps * elapsedSeconds)
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

/**
 * Runs TCP_CRR between the pods: each request has a connection of its own.
 *
 * @throws LabError the errors of netperf's reader and the testbed; `signal.reason`
 */
export const runTcpCrr: RunBenchmark = async (invocation, context) => {
  const { address, repeat } = invocation
  const startedAt = context.now()
  const client = { target: CLIENT, argv: tcpCrrArgv(address, crrLength(invocation)) }
  const { tps, latency, elapsedSeconds, retransmits } = await runTransactions(client, repeat, context.testbed, context)
  return { startedAt, elapsedSeconds, values: { tps, ...latency, retransmits }, after: null }
}

/**
 * Runs TCP_STREAM between the pods.
 *
 * @throws LabError the errors of netperf's reader and the testbed; `signal.reason`
 */
export const runTcpStream: RunBenchmark = (invocation, context) => {
  const { address, seconds, benchmark } = invocation
  const { intervalSeconds } = tcpStreamBenchmark.parse(benchmark)
  const argv = tcpStreamArgv({ address, seconds, intervalSeconds })
  return measureStream(invocation, context, () => runStreamClient(invocation, argv, createTcpStreamReader(), context))
}
