/** Calls of the service: one that is captured, and the measured ones. */
import { CONTROL_PORT, DATA_PORT, SERVICE, serverLink } from '@expresslane/shared/features/cluster-ip/places'
import { decodeIpPacket } from '@expresslane/shared/measure/packet'
import type { Family } from '@expresslane/shared/base/units'
import { CLIENT } from '@expresslane/shared/testbed/placement'
import { collect, withoutOutput } from '../../benchmarks/collect.ts'
import type { BenchmarkContext, RunBenchmark } from '../../benchmarks/invocation.ts'
import { watchFrames, type Watch } from '../../benchmarks/watch-frames.ts'
import { networkAt } from '../../tools/data-connection.ts'
import { nodeportArgv, transactionArgv, type NodeportTarget, type NodeportTest } from '../../tools/netperf/nodeport.ts'
import { runTransactions } from '../../tools/netperf/run-transactions.ts'
import type { CapturedFrame } from '../../tools/tcpdump.ts'
import type { Pods } from '../feature.ts'
import { readTranslators, translatedBetween } from './reading.ts'
import { POD_END } from './topology.ts'

const target = (address: string): NodeportTarget => ({ address, controlPort: CONTROL_PORT, dataPort: DATA_PORT })

/** One transaction on a connection of its own. */
export const callArgv = (address: string): string[] => transactionArgv('TCP_RR', target(address))

/** The packet of a frame on its way to the backend. */
function packetOf({ bytes }: CapturedFrame): ReturnType<typeof decodeIpPacket> {
  return decodeIpPacket(bytes.subarray(networkAt(bytes)))
}

/** The packets of a call to the backend as they pass a pod's device. @param pod its name */
export function callAt(pod: string): Watch {
  const isLast = (frame: CapturedFrame): boolean => packetOf(frame)?.flags.includes('F') === true
  return { node: pod, device: POD_END, filter: ['dst', 'port', `${DATA_PORT}`], isLast }
}

/** How many of these packets have the service's address, and how many the backend's. */
export function addressesOf(frames: readonly CapturedFrame[], of: Family): { service: number; backend: number } {
  const to = frames.map((frame) => packetOf(frame)?.destination)
  const count = (address: string): number => to.filter((one) => one === address).length
  return { service: count(SERVICE[of]), backend: count(serverLink.pod[of]) }
}

/** Calls once, and captures the packets that leave the client. @throws LabError of netperf and tcpdump; `signal.reason` */
async function captureCall(address: string, context: BenchmarkContext): Promise<CapturedFrame[]> {
  const frames: CapturedFrame[] = []
  const watch = callAt('client')
  const isLast = (frame: CapturedFrame): boolean => {
    frames.push(frame)
    return watch.isLast(frame)
  }
  const watching = watchFrames(context.testbed, { ...watch, isLast }, context)
  try {
    await watching.begun
    await collect(context.testbed, CLIENT, callArgv(address), context)
    await watching.last()
  } finally {
    await watching.stop()
  }
  return frames
}

/** About as many as a second has: on two CPUs of this machine, and of the counted machine's clock. */
const A_SECOND = { TCP_RR: { time: 20_000, counted: 2_500 }, TCP_CRR: { time: 5_000, counted: 600 } } as const

/** A fixed number of calls: netperf then waits for nothing at the end, and part of a second is possible. */
export function runCalls(test: Exclude<NodeportTest, 'UDP_RR'>): RunBenchmark {
  return async ({ address, family, seconds, repeat, fingerprint }, context) => {
    const clock = fingerprint.instructionsPerMicrosecond === null ? 'time' : 'counted'
    const calls = Math.ceil(A_SECOND[test][clock] * seconds)
    const quiet = withoutOutput(context)
    const pods: Pick<Pods, 'look'> = { look: (where, argv) => collect(context.testbed, where, argv, quiet) }
    const left = addressesOf(await captureCall(address, context), family)
    const before = await readTranslators(pods, family)
    const startedAt = context.now()
    const client = { target: CLIENT, argv: nodeportArgv(test, target(address), -calls) }
    const { tps, latency, elapsedSeconds, retransmits } = await runTransactions(
      client,
      repeat,
      context.testbed,
      context,
    )
    const translated = translatedBetween(before, await readTranslators(pods, family))
    return {
      startedAt,
      elapsedSeconds,
      values: {
        tps,
        ...latency,
        retransmits,
        // With the control connection.
        serviceConnections: 1 + (test === 'TCP_CRR' ? calls : 1),
        ...translated,
        leftForService: left.service,
        leftForBackend: left.backend,
      },
      after: null,
    }
  }
}
