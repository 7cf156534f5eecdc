/** Transactions through a NodePort, from a client outside of the cluster. */
import { BACKEND_POD, ENTRY, nodePorts, OUTSIDE } from '@expresslane/shared/testbed/exposed'
import { podOf } from '@expresslane/shared/testbed/placement'
import { LabError } from '@expresslane/shared/base/errors'
import { collect, withoutOutput } from '../../benchmarks/collect.ts'
import { busySeconds, readCpuTimes } from '../../benchmarks/cpu-time.ts'
import type { BenchmarkContext, Invocation, RunBenchmark } from '../../benchmarks/invocation.ts'
import { runTransactions } from '../../tools/netperf/run-transactions.ts'
import type { TcpRrResult } from '../../tools/netperf/netperf.ts'
import { crrLength } from '../../tools/netperf/run-netperf.ts'
import { nodeportArgv, type NodeportTest } from '../../tools/netperf/nodeport.ts'
import { parseClsactPackets, qdiscArgv } from '../../tools/qdisc.ts'
import { entryPackets, readReceived } from './received.ts'

/** How much longer than its seconds a run may take: control connection, and a first packet that is sent again. */
const SLACK_SECONDS = 15
/** A run by transactions may be so many times slower than the run before it. */
const SLOWER = 5

function silent(node: string): LabError {
  return new LabError(
    'datapath_not_taken',
    `The NodePort of node ${node} stopped answering the client outside of the cluster.`,
    'Run preflight, follow its remedies, then run this step again.',
  )
}

/** @throws LabError `datapath_not_taken` if nothing is answered; netperf's reader's */
async function runNetperf(test: NodeportTest, invocation: Invocation, context: BenchmarkContext): Promise<TcpRrResult> {
  const { address, repeat, placement } = invocation
  const seconds = Math.ceil(invocation.seconds)
  const length = test === 'TCP_CRR' ? crrLength(invocation) : seconds
  const deadline = AbortSignal.timeout(((length < 0 ? SLOWER : 1) * seconds + SLACK_SECONDS) * 1000)
  const within = { emit: context.emit, signal: AbortSignal.any([context.signal, deadline]) }
  const client = { target: OUTSIDE, argv: nodeportArgv(test, { ...nodePorts, address }, length) }
  try {
    return await runTransactions(client, repeat, context.testbed, within)
  } catch (error) {
    context.signal.throwIfAborted()
    if (deadline.aborted) throw silent(podOf(placement, ENTRY)?.node ?? '')
    throw error
  }
}

/** Packets that came as far as TC on the called node; null if it has nothing that counts them. */
async function readTc(node: string, context: BenchmarkContext): Promise<number | null> {
  const quiet = withoutOutput(context)
  try {
    return parseClsactPackets(await collect(context.testbed, `node:${node}`, qdiscArgv, quiet))
  } catch (error) {
    context.signal.throwIfAborted()
    if (error instanceof LabError && error.code === 'tool_failed') return null
    throw error
  }
}

/** @throws LabError of the testbed and netperf's reader; `datapath_not_taken`; `signal.reason` */
export function runNodeportTransactions(test: NodeportTest): RunBenchmark {
  return async (invocation, context) => {
    const { placement } = invocation
    const entry = podOf(placement, ENTRY)?.node ?? ''
    const nodes = [...new Set(placement.pods.map(({ node }) => `node:${node}`))]
    const backend = podOf(placement, BACKEND_POD)?.node ?? ''
    const read = () =>
      Promise.all([
        readCpuTimes(context.testbed, nodes, context),
        readTc(entry, context),
        readReceived(entry, context),
        readReceived(backend, context),
      ])
    const [cpuBefore, tcBefore, entryBefore, backendBefore] = await read()
    const startedAt = context.now()
    const { tps, latency, elapsedSeconds } = await runNetperf(test, invocation, context)
    const [cpuAfter, tcAfter, entryAfter, backendAfter] = await read()
    const transactions = tps * elapsedSeconds
    const busy = busySeconds(cpuBefore, cpuAfter)
    const tc = tcBefore === null || tcAfter === null ? null : Math.max(0, tcAfter - tcBefore)
    const per = (amount: number | null): number | null =>
      amount === null || transactions <= 0 ? null : amount / transactions
    return {
      startedAt,
      elapsedSeconds,
      values: {
        tps,
        ...latency,
        nodesCpuPerTransaction: per(busy === null ? null : busy * 1e6),
        tcPackets: per(tc),
        entryPackets: entryPackets([entryBefore, entryAfter], [backendBefore, backendAfter]),
      },
      after: null,
    }
  }
}
