/** `GET /api/stream`: every event from a point on that the principal may read, each once, and what the paths look like now. */
import { setImmediate as letOthers } from 'node:timers/promises'
import { streamClose, streamFrame, streamQuery, type StreamFrame } from '@expresslane/shared/wire/protocol'
import { errorBody, LabError } from '@expresslane/shared/wire/errors'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { WebSocket } from 'ws'
import { mayUse } from '../access/policy.ts'
import type { Principal } from '../access/principal.ts'
import type { Deps } from '../deps.ts'
import { principalOf } from './gate.ts'
import { refusals } from './schemas.ts'

/** Beyond this a client reads too slowly; it comes back with `after` and has lost nothing. */
const BUFFERED_BYTES = 4 * 1024 * 1024
const CHUNK = 200
const PING_MS = 20_000

export interface StreamOptions {
  /** Differs for each start of the server. */
  readonly boot: string
  readonly version: string
}

/**
 * Feeds one client: first what the store has, chunk by chunk and as fast as the client takes it, then
 * what happens. Between the store's last answer and the switch nothing waits, so nothing is missed;
 * `seq` tells what was sent already, so nothing is sent twice.
 */
async function feed(
  socket: WebSocket,
  principal: Principal,
  after: number | undefined,
  { labs, log, live, clock, reach }: Deps,
  options: StreamOptions,
): Promise<void> {
  log.catchUp()
  const hears = reach.hears(principal)
  // A client that is further than the log has known another one, and begins anew.
  let sent = Math.min(after ?? log.seq(), log.seq())
  let replaying = true
  let alive = true
  let takeBack = (): void => {}

  const isOpen = (): boolean => socket.readyState === socket.OPEN

  function send(frame: StreamFrame, taken: () => void = () => {}): void {
    socket.send(JSON.stringify(streamFrame.encode(frame)), taken)
  }

  function sendNews(frame: StreamFrame): void {
    if (!isOpen()) return
    send(frame)
    // A replay fills the buffer itself, and waits for it.
    if (!replaying && socket.bufferedAmount > BUFFERED_BYTES) socket.close(streamClose.tooSlow, 'reads too slowly')
  }

  async function replay(): Promise<void> {
    for (let events = log.since(sent, CHUNK); events.length > 0 && isOpen(); events = log.since(sent, CHUNK)) {
      sent = events.at(-1)?.seq ?? sent
      const heard = events.filter(({ runId }) => hears(runId))
      if (heard.length === 0) {
        await letOthers()
        continue
      }
      const { promise, resolve } = Promise.withResolvers<void>()
      // Called when the system has it, and also when the connection broke.
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
    socket.ping()
    takeBack = clock.after(PING_MS, ping)
  }

  const unsubscribe = log.subscribe((logged) => {
    if (replaying || logged.seq <= sent) return
    sent = logged.seq
    if (hears(logged.runId)) sendNews({ type: 'events', events: [logged] })
  })
  send({ type: 'hello', seq: log.seq(), ...options })
  if (labs.revision() > 0) send({ type: 'labs', revision: labs.revision() })
  const unwatch = live.subscribe((frame) => {
    if (mayUse(principal, frame.testbed)) sendNews(frame)
  })
  const unread = labs.subscribe(() => sendNews({ type: 'labs', revision: labs.revision() }))
  socket.on('pong', () => {
    alive = true
  })
  socket.on('close', () => {
    takeBack()
    unsubscribe()
    unwatch()
    unread()
  })
  // A broken connection ends with `close` as well; without a listener it would end the server.
  socket.on('error', () => socket.terminate())

  ping()
  await replay()
}

export function streamRoute(deps: Deps, options: StreamOptions): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      method: 'GET',
      url: '/api/stream',
      schema: {
        summary: 'Events and live readings (WebSocket)',
        description:
          'Resumable: `after=SEQ` replays every event after that one. The client sends nothing, and is sent a `StreamFrame` a message.',
        tags: ['stream'],
        querystring: streamQuery,
        response: { ...refusals, 426: errorBody },
      },
      handler: async (_request, reply) => {
        void reply.header('upgrade', 'websocket').header('connection', 'upgrade')
        throw new LabError(
          'upgrade_required',
          'This address answers WebSocket clients only.',
          'Open it as a WebSocket, for example with `new WebSocket(...)` or `websocat`.',
        )
      },
      wsHandler: (socket, request) =>
        feed(socket, principalOf(request), streamQuery.parse(request.query).after, deps, options),
    })
  }
}
