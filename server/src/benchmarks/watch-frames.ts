/** Captures packets on a device while something else happens. */
import { LabError } from '@expresslane/shared/base/errors'
import type { RunEvent } from '@expresslane/shared/run/events'
import type { CallContext, Testbed } from '../testbeds/testbed.ts'
import { createTcpdumpReader, isHexLine, isWatching, tcpdumpArgv, type CapturedFrame } from '../tools/tcpdump.ts'

/** The last packet has passed the device by now. tcpdump reports it a moment later. */
const LAST_PACKETS_MS = 10_000

export interface Watch {
  readonly node: string
  readonly device: string
  /** tcpdump's filter, a word each. */
  readonly filter: readonly string[]
  /** Called with each packet, in order. @returns whether this was the last wanted packet */
  readonly isLast: (frame: CapturedFrame) => boolean
}

export interface Watching {
  /** Resolves when it captures. Rejects when tcpdump ends before its time. */
  readonly begun: Promise<void>
  /** Waits for the last packet that is wanted. @throws LabError `tool_failed` when it takes too long */
  last(): Promise<void>
  stop(): Promise<void>
}

function ended(words: string): LabError {
  const message = 'tcpdump ended before it captured the packets.'
  return new LabError('tool_failed', message, 'Check its output, then try again.', { detail: words })
}

/** No packets came by. */
export function unseen({ node, device }: Pick<Watch, 'node' | 'device'>): LabError {
  return new LabError(
    'tool_failed',
    `No packets of the connection were captured on ${node}’s ${device}.`,
    'They may use another device or a tunnel. Check the routes of that node.',
  )
}

async function withinDeadline(over: Promise<void>, watch: Watch): Promise<void> {
  const deadline = Promise.withResolvers<never>()
  const timer = setTimeout(() => deadline.reject(unseen(watch)), LAST_PACKETS_MS)
  try {
    await Promise.race([over, deadline.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Begins a capture, which ends when it is stopped. */
export function watchFrames(testbed: Testbed, watch: Watch, context: CallContext): Watching {
  const { node, device, filter, isLast } = watch
  const stopping = new AbortController()
  const quiet: CallContext = {
    signal: AbortSignal.any([context.signal, stopping.signal]),
    // The packets are reported decoded, so their bytes are left out.
    emit(event: RunEvent) {
      if (event.type !== 'command.output' || !isHexLine(event.text)) context.emit(event)
    },
  }
  const begun = Promise.withResolvers<void>()
  const over = Promise.withResolvers<void>()
  const reader = createTcpdumpReader()
  const words: string[] = []

  async function run(): Promise<void> {
    for await (const item of testbed.exec(`capture:${node}`, tcpdumpArgv(device, filter), quiet)) {
      if (item.type === 'exit') continue
      if (item.stream === 'stderr') {
        words.push(item.text)
        if (isWatching(item.text)) begun.resolve()
        continue
      }
      const frame = reader.read(item.text)
      if (frame !== null && isLast(frame)) over.resolve()
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
    last: () => withinDeadline(over.promise, watch),
    async stop() {
      stopping.abort(new Error('the packets are captured'))
      await running
    },
  }
}
