/** A client of the stream: a real WebSocket that records its frames. */
import type { LoggedEvent } from '@expresslane/shared/run/events'
import { streamFrame, type StreamFrame } from '@expresslane/shared/wire/stream'
import { WebSocket, type RawData } from 'ws'

export interface StreamClient {
  readonly socket: WebSocket
  readonly frames: StreamFrame[]
  events(): LoggedEvent[]
  /** Resolves when the received frames are sufficient. */
  until(enough: (frames: readonly StreamFrame[]) => boolean): Promise<void>
  /** Resolves with the close code. */
  readonly closed: Promise<number>
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString()
  return Buffer.isBuffer(data) ? data.toString() : Buffer.from(data).toString()
}

export interface Where {
  readonly port: number
  readonly token: string
}

/** Connects with the token; `after` is as in the protocol. */
export function connect({ port, token }: Where, after?: number): StreamClient {
  const query = after === undefined ? '' : `?after=${after}`
  const headers = { authorization: `Bearer ${token}` }
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/stream${query}`, { headers })
  const frames: StreamFrame[] = []
  const waiting = new Set<() => void>()
  socket.on('message', (data) => {
    frames.push(streamFrame.parse(JSON.parse(textOf(data))))
    for (const look of waiting) look()
  })
  const closed = Promise.withResolvers<number>()
  socket.on('close', closed.resolve)
  // A client that disconnects while it connects reports an error, and closes.
  socket.on('error', () => {})
  return {
    socket,
    frames,
    events: () => frames.flatMap((frame) => (frame.type === 'events' ? frame.events : [])),
    until(enough) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const look = (): void => {
        if (!enough(frames)) return
        waiting.delete(look)
        resolve()
      }
      waiting.add(look)
      look()
      return promise
    },
    closed: closed.promise,
  }
}

/** Is true when an event of this `seq` has arrived. */
export const upTo = (seq: number) => (frames: readonly StreamFrame[]) =>
  frames.some((frame) => frame.type === 'events' && frame.events.some((logged) => logged.seq >= seq))

export const greeted = (frames: readonly StreamFrame[]): boolean => frames.length > 0
