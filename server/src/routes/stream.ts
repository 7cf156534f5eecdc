/** `GET /api/stream`: every event from a point on, each once, and what the paths look like now. */
import type { LoggedEvent } from '@expresslane/shared/events'
import { streamClose, streamFrame, streamQuery, type StreamFrame } from '@expresslane/shared/protocol'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { WebSocket } from 'ws'
import type { Deps } from '../deps.ts'

/** Beyond this a client reads too slowly; it comes back with `after` and has lost nothing. */
const BUFFERED_BYTES = 4 * 1024 * 1024
const CHUNK = 500
const PING_MS = 20_000

export interface StreamOptions {
  /** Differs for each start of the server. */
  readonly boot: string
  readonly version: string
}

/**
 * Feeds one client. It listens first and replays from the store after, holding back what happens
 * meanwhile, so between the two nothing is missed; `seq` tells what was sent already, so nothing is
 * sent twice.
 */
function feed(socket: WebSocket, after: number | undefined, { log, live, clock }: Deps, options: StreamOptions): void {
  let sent = after ?? log.seq()
  let replaying = true
  let alive = true
  let takeBack = (): void => {}

  function send(frame: StreamFrame): void {
    if (socket.readyState !== socket.OPEN) return
    socket.send(JSON.stringify(streamFrame.encode(frame)))
    if (socket.bufferedAmount > BUFFERED_BYTES) socket.close(streamClose.tooSlow, 'reads too slowly')
  }

  function sendEvents(events: readonly LoggedEvent[]): void {
    const fresh = events.filter((logged) => logged.seq > sent)
    const last = fresh.at(-1)
    if (last === undefined) return
    sent = last.seq
    send({ type: 'events', events: [...fresh] })
  }

  function ping(): void {
    if (!alive) {
      socket.terminate()
      return
    }
    alive = false
    socket.ping()
    takeBack = clock.after(PING_MS, ping)
  }

  const unsubscribe = log.subscribe((logged) => {
    if (!replaying) sendEvents([logged])
  })
  const unwatch = live.subscribe(send)
  socket.on('pong', () => {
    alive = true
  })
  socket.on('close', () => {
    takeBack()
    unsubscribe()
    unwatch()
  })
  // A broken connection ends with `close` as well; without a listener it would end the server.
  socket.on('error', () => socket.terminate())

  send({ type: 'hello', seq: log.seq(), ...options })
  // Chunk by chunk and without a pause: what happens is appended by this same thread, hence after this.
  log.catchUp()
  for (let chunk = log.since(sent, CHUNK); chunk.length > 0; chunk = log.since(sent, CHUNK)) sendEvents(chunk)
  replaying = false
  ping()
}

export function streamRoute(deps: Deps, options: StreamOptions): FastifyPluginAsyncZod {
  return async (app) => {
    app.get(
      '/api/stream',
      {
        websocket: true,
        schema: {
          summary: 'Events and live readings (WebSocket)',
          description:
            'Resumable: `after=SEQ` replays every event after that one. The client sends nothing. See docs/api.md for the frames.',
          tags: ['stream'],
          querystring: streamQuery,
        },
      },
      (socket, { query }) => feed(socket, query.after, deps, options),
    )
  }
}
