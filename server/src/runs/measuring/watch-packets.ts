/** Captures the packets of one request on a node's device. */
import type { CapturedPacket } from '@expresslane/shared/measure/capture'
import { LabError } from '@expresslane/shared/wire/errors'
import type { RunEvent } from '@expresslane/shared/run/events'
import { CLIENT } from '@expresslane/shared/testbed/placement'
import type { Bytes } from '@expresslane/shared/measure/units'
import { followDataConnection } from '../../tools/data-connection.ts'
import { transactionsArgv } from '../../tools/netperf/netperf.ts'
import { createNetperfReader, type Ended } from '../../tools/netperf/output.ts'
import { createTcpdumpReader, isHexLine, isWatching, tcpdumpArgv } from '../../tools/tcpdump.ts'
import type { StepContext } from '../perform/step-context.ts'

/**
 * A new connection has a small window that grows with acknowledgements, and one packet carries at most half of the
 * window. In measurements, the third request already fit into one packet. The last of these requests is shown.
 */
const TRANSACTIONS = 16
/** When netperf ends, its packets have passed the device. tcpdump reports them a moment later. */
const LAST_PACKETS_MS = 10_000
/** The maximum of a capture. */
const PACKETS_KEPT = 2_000

export interface Watched {
  readonly node: string
  readonly device: string
  /** The server's address. */
  readonly address: string
  readonly requestBytes: Bytes
  readonly responseBytes: Bytes
}

interface Watching {
  /** Rejects when tcpdump ends before its time. */
  readonly begun: Promise<void>
  /** Resolves when both sides have ended the connection. */
  readonly over: Promise<void>
  packets(): CapturedPacket[]
  stop(): Promise<void>
}

function ended(words: string): LabError {
  return new LabError(
    'tool_failed',
    'tcpdump ended before it captured the packets.',
    'Check its output, then try again.',
    {
      detail: words,
    },
  )
}

function unseen({ node, device }: Watched): LabError {
  return new LabError(
    'tool_failed',
    `No packets of the connection were captured on ${node}’s ${device}.`,
    'They may use another device or a tunnel. Check the routes of that node.',
  )
}

function watch(watched: Watched, context: StepContext): Watching {
  const { node, device, address, requestBytes } = watched
  const stopping = new AbortController()
  const quiet = {
    signal: AbortSignal.any([context.signal, stopping.signal]),
    // The packets are reported decoded, so their bytes are left out.
    emit(event: RunEvent) {
      if (event.type !== 'command.output' || !isHexLine(event.text)) context.emit(event)
    },
  }
  const begun = Promise.withResolvers<void>()
  const over = Promise.withResolvers<void>()
  const reader = createTcpdumpReader()
  const connection = followDataConnection(address)
  const words: string[] = []

  async function run(): Promise<void> {
    const argv = tcpdumpArgv(device, address)
    for await (const item of context.testbed.exec(`capture:${node}`, argv, quiet)) {
      if (item.type === 'exit') continue
      if (item.stream === 'stderr') {
        words.push(item.text)
        if (isWatching(item.text)) begun.resolve()
        continue
      }
      const frame = reader.read(item.text)
      if (frame !== null) connection.add(frame)
      if (connection.ended()) over.resolve()
    }
    throw ended(words.join('\n'))
  }
  const running = run().catch((error: unknown) => {
    begun.reject(error)
    over.reject(error)
  })
  // If tcpdump does not start, nobody waits for this promise.
  over.promise.catch(() => {})

  return {
    begun: begun.promise,
    over: over.promise,
    packets: () => connection.lastExchange(requestBytes).slice(0, PACKETS_KEPT),
    async stop() {
      stopping.abort(new Error('the packets are captured'))
      await running
    },
  }
}

async function request({ address, requestBytes, responseBytes }: Watched, context: StepContext): Promise<void> {
  const argv = transactionsArgv({ address, requestBytes, responseBytes }, TRANSACTIONS)
  const netperf = createNetperfReader()
  let exit: Ended = { code: null, signal: null }
  for await (const item of context.testbed.exec(CLIENT, argv, context)) {
    if (item.type === 'exit') exit = item
    else netperf.read(item.text)
  }
  netperf.requireSuccess(exit)
}

/** @throws LabError `tool_failed` when it takes too long */
async function withinDeadline(over: Promise<void>, watched: Watched): Promise<void> {
  const deadline = Promise.withResolvers<never>()
  const timer = setTimeout(() => deadline.reject(unseen(watched)), LAST_PACKETS_MS)
  try {
    await Promise.race([over, deadline.promise])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Runs {@link TRANSACTIONS} requests between the pods, and returns the packets of the last request and its response.
 *
 * @throws LabError `tool_missing`, `tool_failed`, `netserver_unreachable`, errors of the testbed; `signal.reason`
 */
export async function watchRequests(watched: Watched, context: StepContext): Promise<CapturedPacket[]> {
  const watching = watch(watched, context)
  try {
    await watching.begun
    await request(watched, context)
    await withinDeadline(watching.over, watched)
  } finally {
    await watching.stop()
  }
  const packets = watching.packets()
  if (packets.length === 0) throw unseen(watched)
  return packets
}
