/** The agent in a pod, over the stream of an `exec`. */
import { LabError } from '@expresslane/shared/base/errors'
import type { Wire } from '../../agent/connect.ts'
import { streamOf } from '../../agent/stream.ts'
import type { Cluster } from '../api/cluster.ts'
import { refused } from '../exec/exec.ts'
import { openExecBytes, type ExecSocket, type ExecTarget } from '../exec/exec-socket.ts'

/** Where the server's image has it. */
const AGENT = '/app/server/native/bin/agent-x64'

/** The last of the agent's errors is kept. */
const WORDS_KEPT = 2000

function closedError({ pod }: ExecTarget): LabError {
  return new LabError('testbed_gone', `The connection to pod ${pod} is closed.`, 'Start the step again.')
}

export interface PodWireOptions {
  readonly at: ExecTarget
  /** After how many seconds without a word the agent ends. */
  readonly mostSilence: number
  /** Why the connection ended by itself. Never rejects. @param detail its words */
  gone(detail: string): Promise<LabError>
}

/** @throws as `openExecBytes` */
export async function openPodWire(cluster: Cluster, options: PodWireOptions, signal: AbortSignal): Promise<Wire> {
  const { at, mostSilence, gone } = options
  let isClosing = false
  const ended = Promise.withResolvers<string>()
  let words = ''
  let socket: ExecSocket | null = null
  const stream = streamOf(
    async (bytes) => socket?.write(bytes),
    // The agent ends at the end of its input, and after its time without a word at the latest.
    () => {
      socket?.terminate()
      ended.resolve('')
    },
  )
  socket = await openExecBytes(
    cluster,
    at,
    [AGENT, 'stdio', String(mostSilence)],
    {
      bytes(from, bytes) {
        if (from === 'stdout') stream.push(bytes)
        else words = `${words}${bytes.toString('utf8')}`.slice(-WORDS_KEPT)
      },
      status: ({ message = '' }) => ended.resolve(message),
      dropped: ended.resolve,
    },
    { signal, hasInput: true },
  ).catch((error: unknown) => {
    signal.throwIfAborted()
    throw refused(cluster, at, error)
  })
  const why = async () => {
    const detail = [words.trim(), await ended.promise].filter((text) => text !== '').join('\n')
    stream.destroy()
    const reason = isClosing ? closedError(at) : await gone(detail)
    return { unmet: reason, gone: reason }
  }
  const whole = why()
  return {
    name: `pod ${at.pod}`,
    stream,
    ended: whole,
    words: () => words,
    async close() {
      isClosing = true
      stream.destroy()
      await whole
    },
  }
}
