/** `GET /api/stream`: sends every event that the principal may read, each once, and live readings of the paths. */
import { isDeepStrictEqual } from 'node:util'
import type { LoggedEvent } from '@expresslane/shared/run/events'
import { thisMachine } from '@expresslane/shared/testbed/id'
import { BEAT_MS, streamClose, streamFrame, streamQuery, type StreamFrame } from '@expresslane/shared/wire/stream'
import { errorBody, LabError } from '@expresslane/shared/base/errors'
import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { WebSocket } from 'ws'
import { clientNetwork } from '../access/clients.ts'
import { createNews } from '../classroom/news.ts'
import { framePolicy, mayReceive } from '../access/policy.ts'
import { anyViewer, type Principal } from '../access/principal.ts'
import type { Deps } from '../deps.ts'
import { createBatches, type Batches } from '../stream/batches.ts'
import { encodeEvents, encodeFrame, presentationFrame, type EncodeStored } from '../stream/encode.ts'
import { replay } from '../stream/replay.ts'
import { refusals } from './http/schemas.ts'

/**
 * A client with more than this unread is disconnected. It reconnects with `after` and loses nothing. Followers are many,
 * so each can have less.
 */
const BUFFERED_BYTES = 4 * 1024 * 1024
const FOLLOWER_BUFFERED_BYTES = 512 * 1024

/** An instructor sees every testbed, and a room starts and ends many runs a second. */
export const HOLDERS_EVERY_MS = 250

export interface StreamOptions {
  /** A new value at each start of the server. */
  readonly boot: string
  readonly version: string
}

type StreamParts = Pick<
  Deps,
  | 'labs'
  | 'log'
  | 'runningRuns'
  | 'live'
  | 'clock'
  | 'reach'
  | 'presence'
  | 'presenting'
  | 'people'
  | 'room'
  | 'messages'
  | 'driving'
  | 'hands'
  | 'metrics'
  | 'trouble'
  | 'config'
>

/** The person who opens a stream, their login and their network. */
interface Comer {
  readonly principal: Principal
  readonly login: string | null
  readonly network: string
}

/** Sends to one client, and disconnects it when it reads too slowly. */
interface Sender {
  isOpen(): boolean
  /** @param taken called when the data is handed to the system, or is not sent at all */
  data(type: StreamFrame['type'], data: Buffer, taken?: () => void): void
  frame(frame: StreamFrame): void
  /** A frame that the client has not asked for. */
  news(frame: StreamFrame): void
  closeIfSlow(): void
}

/** @param replaying whether stored events are being sent: that fills the buffer on purpose, and waits until it drains */
function createSender(socket: WebSocket, principal: Principal, replaying: () => boolean): Sender {
  const buffered = principal.role === 'viewer' ? FOLLOWER_BUFFERED_BYTES : BUFFERED_BYTES
  const sender: Sender = {
    isOpen: () => socket.readyState === socket.OPEN,
    data(type, data, taken = () => {}) {
      if (mayReceive(principal, type)) socket.send(data, { binary: false }, taken)
      else taken()
    },
    frame: (frame) => sender.data(frame.type, encodeFrame(frame)),
    news(frame) {
      if (!sender.isOpen()) return
      sender.frame(frame)
      sender.closeIfSlow()
    },
    closeIfSlow() {
      if (!replaying() && socket.bufferedAmount > buffered) socket.close(streamClose.tooSlow, 'reads too slowly')
    },
  }
  return sender
}

/** @returns sends a frame, if it is not the one that was sent last */
function createTeller(frameOf: () => StreamFrame, sender: Sender): () => void {
  let sent: StreamFrame | null = null
  return () => {
    const frame = frameOf()
    if (isDeepStrictEqual(frame, sent)) return
    sent = frame
    sender.news(frame)
  }
}

/** Sends the hands that a client may see, and again when they change. @returns ends that */
function sendHands(principal: Principal, { hands }: StreamParts, sender: Sender): () => void {
  const tell = createTeller(() => hands.frame(principal), sender)
  tell()
  return hands.subscribe(tell)
}

/** Sends which runs use testbeds, and again when the client sees other ones. @returns ends that */
function sendHolders(
  principal: Principal,
  { runningRuns, reach, presenting, clock }: StreamParts,
  sender: Sender,
): () => void {
  if (!mayReceive(principal, 'holders')) return () => {}
  const tell = createTeller(() => ({ type: 'holders', holders: reach.holders(principal) }), sender)
  tell()
  const news = createNews(clock, HOLDERS_EVERY_MS)
  const ends = [
    news.subscribe(tell),
    runningRuns.subscribe((testbed) => {
      if (reach.watches(principal, testbed)) news.note()
    }),
    // People who may not use the presented testbed may watch it.
    presenting.subscribe(tell),
  ]
  return () => {
    for (const end of ends) end()
  }
}

/** Sends the state of the room and the labs, and then what changes. @returns ends that */
function sendNews({ principal }: Comer, deps: StreamParts, sender: Sender): () => void {
  const { labs, live, reach, presenting, room, messages, driving, trouble, config } = deps
  if (labs.revision() > 0) sender.frame({ type: 'labs', revision: labs.revision() })
  const endReadings = live.subscribe(sender.news, (testbed) => reach.follows(principal, testbed))
  sender.frame(presentationFrame(presenting.current()))
  if (config.workshop) sender.frame(driving.frame())
  sender.frame({ type: 'store', problem: trouble.current() })
  const ends = [
    endReadings,
    sendHolders(principal, deps, sender),
    config.workshop && mayReceive(principal, 'hands') ? sendHands(principal, deps, sender) : () => {},
    labs.subscribe(() => sender.news({ type: 'labs', revision: labs.revision() })),
    presenting.subscribe((presentation) => sender.news(presentationFrame(presentation))),
    room.subscribe((revision) => sender.news({ type: 'room', revision })),
    messages.subscribe(principal, sender.news),
    driving.subscribe(sender.news),
    trouble.subscribe((problem) => sender.news({ type: 'store', problem })),
  ]
  return () => {
    for (const end of ends) end()
  }
}

/**
 * Pings the client until the returned function is called, and cuts one that does not answer. Access can be revoked at any
 * time, also between the check of the request and now: each ping looks.
 */
function keepAlive(
  socket: WebSocket,
  { principal, login }: Comer,
  { people, clock }: StreamParts,
  sender: Sender,
): () => void {
  let alive = true
  let takeBack = (): void => {}
  function ping(): void {
    if (!people.holds(principal) || (login !== null && !people.holdsLogin(principal, login)))
      socket.close(streamClose.revoked, 'access was revoked')
    if (!alive) {
      socket.terminate()
      return
    }
    alive = false
    // The page can't see a ping, and the server can't see a page that hears nothing: each gets its own sign of life.
    socket.ping()
    if (sender.isOpen()) sender.frame({ type: 'beat' })
    takeBack = clock.after(BEAT_MS, ping)
  }
  socket.on('pong', () => {
    alive = true
  })
  ping()
  return () => takeBack()
}

/**
 * Serves one client: replays stored events in chunks, as fast as the client reads them, then sends new events as they
 * happen. The switch happens in the turn of the last read from the store, so no event is lost; `sent` is the `seq` of
 * the last event sent, so none is sent twice.
 */
async function feed(
  socket: WebSocket,
  comer: Comer,
  after: number | undefined,
  deps: StreamParts,
  { batches, ...options }: StreamOptions & { readonly batches: Batches },
): Promise<void> {
  const { log, reach, presence, metrics } = deps
  const { principal, login, network } = comer
  log.catchUp()
  // A client ahead of this log has followed another one. It gets only new events.
  let sent = Math.min(after ?? log.seq(), log.seq())
  let replaying = true
  let unsubscribe = (): void => {}
  const sender = createSender(socket, principal, () => replaying)

  /** @param data the encoded frame of `events`, the same for every client; null where it is not encoded yet */
  function sendEvents(events: readonly LoggedEvent[], data: Buffer | null): void {
    if (!sender.isOpen()) return
    // The replay can be ahead of the reported events: another process has appended them.
    const fresh = events.filter(({ seq }) => seq > sent)
    const last = fresh.at(-1)
    if (last === undefined) return
    sent = last.seq
    const frame = data !== null && fresh.length === events.length ? data : encodeEvents(fresh)
    sender.data('events', frame, () => metrics.delivered(principal.role, (fresh[0] ?? last).at))
    sender.closeIfSlow()
  }

  async function sendStored(events: readonly LoggedEvent[], encode: EncodeStored): Promise<void> {
    const heard = events.filter(({ runId }) => reach.hears(principal, runId))
    if (heard.length === 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    // Called when the data is handed to the system, and also when the connection breaks.
    sender.data('events', encode(heard), resolve)
    await promise
  }

  function followFrom(seq: number): void {
    sent = seq
    replaying = false
    if (!sender.isOpen()) return
    unsubscribe =
      principal.role === 'viewer'
        ? batches.join((data, events) => sendEvents(events, data))
        : log.subscribe((logged) => {
            if (reach.hears(principal, logged.runId)) sendEvents([logged], null)
          })
  }

  sender.frame({ type: 'hello', seq: log.seq(), ...options })
  const endNews = sendNews(comer, deps, sender)
  const leave = presence.enter({ principal, login, network, close: (code, reason) => socket.close(code, reason) })
  let endPings = (): void => {}
  socket.on('close', () => {
    endPings()
    unsubscribe()
    endNews()
    leave()
  })
  // `close` follows. An `error` event without a listener would crash the server.
  socket.on('error', () => socket.terminate())

  endPings = keepAlive(socket, comer, deps, sender)
  const { isOpen } = sender
  await replay(sent, { since: (at, limit) => log.since(at, limit), send: sendStored, isOpen }, followFrom)
}

/**
 * Ends a stream that can't go on. A client that breaks the protocol, such as with a message above the limit, gets one line in the
 * log, without a stack.
 */
export function endStream(error: Error, socket: WebSocket, request: FastifyRequest): void {
  const code = 'code' in error ? String(error.code) : ''
  // Error codes of `ws` (doc/ws.md, "Error codes"), and of a connection that was cut.
  const isClients = code.startsWith('WS_ERR_') || code === 'ECONNRESET' || code === 'EPIPE'
  if (isClients) request.log.warn({ code, person: request.caller?.id }, `a stream is closed: ${error.message}`)
  else request.log.error(error)
  socket.terminate()
}

export function streamRoute(deps: StreamParts & Pick<Deps, 'status'>, options: StreamOptions): FastifyPluginAsyncZod {
  for (const { shape } of streamFrame.options) {
    if (Object.hasOwn(framePolicy, shape.type.value)) continue
    throw new Error(`The frame ${shape.type.value} has no line in access/policy.ts, which says who may receive it`)
  }
  const { log, reach, status, clock } = deps
  const batches = createBatches(clock, () => status.quiet(thisMachine))
  return async (app) => {
    const unsubscribe = log.subscribe((logged) => {
      if (reach.hears(anyViewer, logged.runId)) batches.add(logged)
    })
    app.addHook('onClose', async () => {
      unsubscribe()
      batches.close()
    })
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
      wsHandler: (socket, request) => {
        const { principal, login, ip } = request
        const comer = { principal, login, network: clientNetwork(ip) }
        return feed(socket, comer, streamQuery.parse(request.query).after, deps, { ...options, batches })
      },
    })
  }
}
