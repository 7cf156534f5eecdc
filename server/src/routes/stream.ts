/** `GET /api/stream`: sends every event that the principal may read, each once, and live readings of the paths. */
import { setImmediate as letOthers } from 'node:timers/promises'
import { BEAT_MS, streamClose, streamFrame, streamQuery, type StreamFrame } from '@expresslane/shared/wire/protocol'
import { errorBody, LabError } from '@expresslane/shared/wire/errors'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { WebSocket } from 'ws'
import { framePolicy, mayReceive } from '../access/policy.ts'
import type { Principal } from '../access/principal.ts'
import type { Deps } from '../deps.ts'
import { principalOf } from './gate.ts'
import { refusals } from './schemas.ts'

/** A client with more than this unread is disconnected. It reconnects with `after` and loses nothing. */
const BUFFERED_BYTES = 4 * 1024 * 1024
const CHUNK = 200

export interface StreamOptions {
  /** A new value at each start of the server. */
  readonly boot: string
  readonly version: string
}

/**
 * Serves one client: replays stored events in chunks, as fast as the client reads them, then sends new events as they
 * happen. No await lies between the last read from the store and the switch to new events, so no event is lost;
 * `seq` marks the last event sent, so none is sent twice.
 */
async function feed(
  socket: WebSocket,
  principal: Principal,
  after: number | undefined,
  { labs, log, live, clock, reach, presence, presenting }: Deps,
  options: StreamOptions,
): Promise<void> {
  log.catchUp()
  // A client ahead of this log has followed another one. It gets only new events.
  let sent = Math.min(after ?? log.seq(), log.seq())
  let replaying = true
  let alive = true
  let takeBack = (): void => {}

  const isOpen = (): boolean => socket.readyState === socket.OPEN

  function send(frame: StreamFrame, taken: () => void = () => {}): void {
    if (mayReceive(principal, frame.type)) socket.send(JSON.stringify(streamFrame.encode(frame)), taken)
    else taken()
  }

  function sendNews(frame: StreamFrame): void {
    if (!isOpen()) return
    send(frame)
    // A replay fills the buffer on purpose and waits until it drains.
    if (!replaying && socket.bufferedAmount > BUFFERED_BYTES) socket.close(streamClose.tooSlow, 'reads too slowly')
  }

  async function replay(): Promise<void> {
    for (let events = log.since(sent, CHUNK); events.length > 0 && isOpen(); events = log.since(sent, CHUNK)) {
      sent = events.at(-1)?.seq ?? sent
      const heard = events.filter(({ runId }) => reach.hears(principal, runId))
      if (heard.length === 0) {
        await letOthers()
        continue
      }
      const { promise, resolve } = Promise.withResolvers<void>()
      // Called when the data is handed to the system, and also when the connection breaks.
      send({ type: 'events', events: heard }, resolve)
      await promise
    }
    replaying = false
  }

  function ping(): void {
    if (!alive) {
      socket.terminate()
      return
    }
    alive = false
    // The page can't see a ping, and the server can't see a page that hears nothing: each gets its own sign of life.
    socket.ping()
    if (isOpen()) send({ type: 'beat' })
    takeBack = clock.after(BEAT_MS, ping)
  }

  const unsubscribe = log.subscribe((logged) => {
    if (replaying || logged.seq <= sent) return
    sent = logged.seq
    if (reach.hears(principal, logged.runId)) sendNews({ type: 'events', events: [logged] })
  })
  send({ type: 'hello', seq: log.seq(), ...options })
  if (labs.revision() > 0) send({ type: 'labs', revision: labs.revision() })
  const unwatch = live.subscribe(sendNews, (testbed) => reach.follows(principal, testbed))
  const unread = labs.subscribe(() => sendNews({ type: 'labs', revision: labs.revision() }))
  send({ type: 'presentation', presentation: presenting.current() })
  const unpresent = presenting.subscribe((presentation) => sendNews({ type: 'presentation', presentation }))
  const leave = presence.enter({ principal, close: (code, reason) => socket.close(code, reason) })
  socket.on('pong', () => {
    alive = true
  })
  socket.on('close', () => {
    takeBack()
    unsubscribe()
    unwatch()
    unread()
    unpresent()
    leave()
  })
  // `close` follows. An `error` event without a listener would crash the server.
  socket.on('error', () => socket.terminate())

  ping()
  await replay()
}

export function streamRoute(deps: Deps, options: StreamOptions): FastifyPluginAsyncZod {
  for (const { shape } of streamFrame.options) {
    if (Object.hasOwn(framePolicy, shape.type.value)) continue
    throw new Error(`The frame ${shape.type.value} has no line in access/policy.ts, which says who may receive it`)
  }
  return async (app) => {
    app.route({
      method: 'GET',
      url: '/api/stream',
      schema: {
        summary: 'Events and live readings (WebSocket)',
        description:
          'Resumable: `after=SEQ` replays every event after SEQ. The client sends nothing. Each message from the server is one `StreamFrame`.',
        tags: ['stream'],
        querystring: streamQuery,
        response: { ...refusals, 426: errorBody },
      },
      handler: async (_request, reply) => {
        void reply.header('upgrade', 'websocket').header('connection', 'upgrade')
        throw new LabError(
          'upgrade_required',
          'This address accepts only WebSocket connections.',
          'Connect with a WebSocket client, for example `new WebSocket(...)` or `websocat`.',
        )
      },
      wsHandler: (socket, request) =>
        feed(socket, principalOf(request), streamQuery.parse(request.query).after, deps, options),
    })
  }
}
