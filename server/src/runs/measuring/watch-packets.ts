/** Captures the packets of one request on a node's device. */
import type { CapturedPacket } from '@expresslane/shared/measure/capture'
import { CLIENT } from '@expresslane/shared/testbed/placement'
import type { Bytes } from '@expresslane/shared/base/units'
import { unseen, watchFrames } from '../../benchmarks/watch-frames.ts'
import { followDataConnection } from '../../tools/data-connection.ts'
import { transactionsArgv } from '../../tools/netperf/netperf.ts'
import { createNetperfReader, type Ended } from '../../tools/netperf/output.ts'
import { dataFilter } from '../../tools/tcpdump.ts'
import type { StepContext } from '../perform/step-context.ts'

/**
 * A new connection has a small window that grows with acknowledgements, and one packet carries at most half of the
 * window. In measurements, the third request already fit into one packet. The last of these requests is shown.
 */
const TRANSACTIONS = 16
/** The maximum of a capture. */
const PACKETS_KEPT = 2_000

export interface WatchedRequests {
  readonly node: string
  readonly device: string
  /** The server's address. */
  readonly address: string
  readonly requestBytes: Bytes
  readonly responseBytes: Bytes
}

async function request({ address, requestBytes, responseBytes }: WatchedRequests, context: StepContext): Promise<void> {
  const argv = transactionsArgv({ address, requestBytes, responseBytes }, TRANSACTIONS)
  const netperf = createNetperfReader()
  let exit: Ended = { code: null, signal: null }
  for await (const item of context.testbed.exec(CLIENT, argv, context)) {
    if (item.type === 'exit') exit = item
    else netperf.read(item.text)
  }
  netperf.requireSuccess(exit)
}

/**
 * Runs {@link TRANSACTIONS} requests between the pods, and returns the packets of the last request and its response.
 *
 * @throws LabError `tool_missing`, `tool_failed`, `netserver_unreachable`, errors of the testbed; `signal.reason`
 */
export async function watchRequests(watched: WatchedRequests, context: StepContext): Promise<CapturedPacket[]> {
  const { node, device, address, requestBytes } = watched
  const connection = followDataConnection(address)
  const watching = watchFrames(
    context.testbed,
    {
      node,
      device,
      filter: dataFilter(address),
      isLast(frame) {
        connection.add(frame)
        return connection.ended()
      },
    },
    context,
  )
  try {
    await watching.begun
    await request(watched, context)
    await watching.last()
  } finally {
    await watching.stop()
  }
  const packets = connection.lastExchange(requestBytes).slice(0, PACKETS_KEPT)
  if (packets.length === 0) throw unseen(watched)
  return packets
}
