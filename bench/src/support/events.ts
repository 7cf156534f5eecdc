/** A server's events, as its stream sends them. */
import { once } from 'node:events'
import type { LoggedEvent, RunId } from '@expresslane/shared/run/events'
import { streamFrame } from '@expresslane/shared/wire/stream'
import { WebSocket } from 'ws'
import { textOf } from './text-of.ts'

export interface EventStream {
  /** All events that arrived, in order. */
  readonly events: readonly LoggedEvent[]
  /** Resolves when the events are sufficient; rejects when the connection ends before. */
  until(enough: (events: readonly LoggedEvent[]) => boolean): Promise<void>
  untilEnded(runs: readonly RunId[]): Promise<void>
  /** Resolves when all events have arrived that were stored when it connected. */
  untilPresent(): Promise<void>
  /** Resolves when the connection has ended, and all events that came are in `events`. */
  readonly closed: Promise<unknown>
  close(): void
}

/** Connects as the owner of the link. @param after the last event that is not wanted */
export async function openEvents(link: string, after = 0): Promise<EventStream> {
  const url = new URL(link)
  const headers = { authorization: `Bearer ${url.searchParams.get('token')}` }
  const socket = new WebSocket(`${url.origin.replace(/^http/, 'ws')}/api/stream?after=${after}`, { headers })
  const events: LoggedEvent[] = []
  const present = Promise.withResolvers<number>()
  const waiting = new Set<() => void>()
  socket.on('message', (data) => {
    const frame = streamFrame.parse(JSON.parse(textOf(data)))
    if (frame.type === 'hello') present.resolve(frame.seq)
    if (frame.type !== 'events') return
    events.push(...frame.events)
    for (const look of waiting) look()
  })
  const closed = once(socket, 'close')
  await once(socket, 'open')
  // A connection that the server's death breaks reports an error, and closes.
  socket.on('error', () => {})

  function until(enough: (events: readonly LoggedEvent[]) => boolean): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const look = (): void => {
      if (enough(events)) resolve()
    }
    waiting.add(look)
    look()
    const over = (code: number, reason: Buffer): void =>
      reject(new Error(`the stream ended before the awaited event: ${code} ${reason.toString()}`.trim()))
    socket.once('close', over)
    return promise.finally(() => {
      waiting.delete(look)
      socket.off('close', over)
    })
  }

  return {
    events,
    until,
    untilEnded(runs) {
      return until((all) => {
        const ended = new Set(all.filter(({ event }) => event.type === 'run.ended').map(({ runId }) => runId))
        return runs.every((run) => ended.has(run))
      })
    },
    async untilPresent() {
      const last = await present.promise
      await until((all) => last <= Math.max(after, all.at(-1)?.seq ?? 0))
    },
    closed,
    close: () => socket.terminate(),
  }
}
