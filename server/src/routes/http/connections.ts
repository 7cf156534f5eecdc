/**
 * Bounds what clients hold open: connections, unanswered requests, and answers that nobody takes. Each costs memory and open
 * files, and a process that has no more of these serves nobody.
 */
import type { IncomingMessage, RequestListener, Server } from 'node:http'
import type { Socket } from 'node:net'
import { createOpenConnections, type Bounds, type Connection } from './open-connections.ts'

/** On one connection. A browser sends one request after the other. */
export const MOST_UNANSWERED = 8
/**
 * How long a client may take nothing of an answer, in milliseconds. The system takes much for a client that was fast before, and
 * then nothing until a third of that has left. For a phone that went out of the room that takes a while.
 */
export const TAKE_MS = 120_000
const LOOK_MS = 10_000
/** Between two lines in the log. */
const LINE_MS = 60_000

interface Timer {
  now(): number
  after(ms: number, callback: () => void): () => void
}

interface Log {
  info(fields: object, line: string): void
  warn(fields: object, line: string): void
}

export interface Connections {
  /** Gives a handler the requests of each connection one after the other. */
  inTurn(handler: RequestListener): RequestListener
  /** Whether a request can become a WebSocket: those before it on its connection are answered. */
  canUpgrade(request: IncomingMessage): boolean
  /** Counts the connections of a server until it closes. */
  watch<S extends Server>(server: S): S
}

/** The requests of a connection, and how its client reads. */
interface Traffic {
  /** The first request is being answered, the rest wait. */
  unanswered: number
  readonly waiting: (() => void)[]
  /** Whether it has become a WebSocket. */
  upgraded: boolean
  /** Bytes that its client had taken at the last look. */
  taken: number
  /** Looks since it took any. */
  looks: number
}

/** Not for each: a flood of connections is no reason for a flood of lines. */
function createWarn(clock: Timer, log: Log, more: () => object): Log['warn'] {
  let lineAt = Number.NEGATIVE_INFINITY
  return (fields, line) => {
    if (clock.now() - lineAt < LINE_MS) return
    lineAt = clock.now()
    log.warn({ ...fields, ...more() }, line)
  }
}

/** Calls `look` again and again while at least one server is open: `localhost` has two, one for each family. */
function createLooks(clock: Timer, look: () => void): (server: Server) => void {
  let servers = 0
  let cancel = (): void => {}
  function later(): void {
    cancel = clock.after(LOOK_MS, () => {
      look()
      later()
    })
  }
  return (server) => {
    servers += 1
    if (servers === 1) later()
    server.on('close', () => {
      servers -= 1
      if (servers === 0) cancel()
    })
  }
}

export function createConnections(clock: Timer, log: Log, bounds: Bounds): Connections {
  const open = createOpenConnections(bounds)
  const warn = createWarn(clock, log, () => ({ open: open.size(), ...bounds }))
  const lookWhileOpen = createLooks(clock, () => {
    for (const connection of open.all()) look(connection)
  })
  const trafficOf = new WeakMap<Connection, Traffic>()
  const connectionOf = new WeakMap<Socket, Connection>()

  function traffic(connection: Connection): Traffic {
    const known = trafficOf.get(connection)
    if (known !== undefined) return known
    const made: Traffic = { unanswered: 0, waiting: [], upgraded: false, taken: 0, looks: 0 }
    trafficOf.set(connection, made)
    return made
  }

  function close({ socket, address }: Connection, why: string): void {
    log.info({ address: address.name }, `a connection is closed: ${why}`)
    socket.destroy()
  }

  /** A connection whose client takes nothing can close for a new one soon, and closes by itself later. */
  function look(connection: Connection): void {
    const { socket } = connection
    if (socket.destroyed) return
    const of = traffic(connection)
    const taken = socket.bytesWritten - socket.writableLength
    const stands = socket.writableLength > 0 && taken === of.taken
    of.taken = taken
    of.looks = stands ? of.looks + 1 : 0
    if (of.looks * LOOK_MS >= TAKE_MS) close(connection, 'its client takes nothing of an answer')
    else if (of.unanswered > 0 && open.isClosable(connection) !== stands) open.setClosable(connection, stands)
  }

  function answered(connection: Connection): void {
    // Nobody is there for the requests that wait.
    if (connection.socket.destroyed) return
    const of = traffic(connection)
    of.unanswered -= 1
    const next = of.waiting.shift()
    if (next !== undefined) next()
    else open.setClosable(connection, !of.upgraded)
  }

  return {
    inTurn(handler) {
      return (request, response) => {
        const { socket } = request
        const connection = connectionOf.get(socket)
        // Node goes on with the requests that it has read of a connection that is closed here.
        if (connection === undefined || socket.destroyed) return
        const of = traffic(connection)
        if (of.unanswered >= MOST_UNANSWERED) {
          close(connection, `its client reads none of ${MOST_UNANSWERED} answers`)
          return
        }
        of.unanswered += 1
        response.once('close', () => answered(connection))
        const answer = (): void => handler(request, response)
        if (of.unanswered > 1) of.waiting.push(answer)
        else {
          open.setClosable(connection, false)
          answer()
        }
      }
    },
    canUpgrade({ socket }) {
      const connection = connectionOf.get(socket)
      return connection !== undefined && traffic(connection).unanswered === 0
    },
    watch(server) {
      server.on('connection', (socket: Socket) => {
        const connection = open.enter(socket)
        if (connection !== null) {
          connectionOf.set(socket, connection)
          return
        }
        socket.destroy()
        warn({ address: socket.remoteAddress }, 'a connection is refused: as many as can be are open and in use')
      })
      server.on('secureConnection', (socket: Socket) => {
        const connection = open.find(socket)
        if (connection === null) return
        connection.socket = socket
        connectionOf.set(socket, connection)
      })
      server.on('upgrade', ({ socket }: IncomingMessage) => {
        const connection = connectionOf.get(socket)
        if (connection === undefined) return
        traffic(connection).upgraded = true
        open.setClosable(connection, false)
      })
      // Without a listener it would end the process. The system asks again when files were closed.
      server.on('error', (error) => {
        if (server.listening) warn({ err: error }, 'connections are not accepted')
      })
      lookWhileOpen(server)
      return server
    },
  }
}
