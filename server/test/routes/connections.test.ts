/** The bounds of a client: connections, unanswered requests, and answers that it does not take. */
import { EventEmitter, once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { connect, Socket, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { createConnections, MOST_UNANSWERED, TAKE_MS } from '../../src/routes/http/connections.ts'
import { boundsFor, createOpenConnections, type Bounds } from '../../src/routes/http/open-connections.ts'
import { passing, testClock } from '../support/clock.ts'
import { dataDir } from '../support/deps.ts'
import { knockStream } from '../support/http/knock.ts'
import { startProgram } from '../support/http/process.ts'
import { ask, startServer } from '../support/http/server.ts'

/** A server needs about 40 for itself. */
const FEW_FILES = 128
const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
const LOOK_MS = TAKE_MS / 12

async function serve(handler: RequestListener, bounds = { most: 100, mostOfAddress: 100 }) {
  const clock = testClock()
  const lines: string[] = []
  const log = (_: object, line: string): void => void lines.push(line)
  const connections = createConnections(clock, { info: log, warn: log }, bounds)
  const server = connections.watch(
    createServer({ shouldUpgradeCallback: connections.canUpgrade }, connections.inTurn(handler)),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const open = async (): Promise<Socket> => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    // A connection that is cut while it is written to.
    socket.on('error', () => {})
    const accepted = once(server, 'connection')
    await once(socket, 'connect')
    await accepted
    return socket
  }
  return { server, clock, lines, open }
}

/** Answers only when it is told. */
function held() {
  const asked = new EventEmitter()
  const answers: (() => void)[] = []
  const handler: RequestListener = (_request, response) => {
    answers.push(() => response.end('yes'))
    asked.emit('asked')
  }
  return { handler, asked, answers }
}

/** Writes as long as its client takes it. */
function endless() {
  const took = new EventEmitter()
  const part = Buffer.alloc(64 * 1024)
  const handler: RequestListener = (_request, response) => {
    const fill = (): void => {
      while (response.write(part));
      response.once('drain', () => {
        took.emit('more')
        fill()
      })
    }
    fill()
  }
  return { handler, took }
}

/** Connections that are in use, from any address. */
function arrivals(bounds: Bounds) {
  const open = createOpenConnections(bounds)
  let port = 0
  const from = (address: string) => {
    const socket = new Socket()
    port += 1
    Object.defineProperties(socket, { remoteAddress: { value: address }, remotePort: { value: port } })
    const connection = open.enter(socket)
    if (connection !== null) open.setClosable(connection, false)
    return connection
  }
  return { from }
}

describe('requests on a connection', () => {
  it('are answered one after the other, in their order', async () => {
    const { handler, answers, asked } = held()
    const { open } = await serve(handler)
    const socket = await open()
    let text = ''
    socket.setEncoding('utf8').on('data', (part: string) => (text += part))
    const first = once(asked, 'asked')
    socket.write(GET.repeat(MOST_UNANSWERED))
    await first
    for (let at = 0; at < MOST_UNANSWERED; at += 1) {
      expect(answers).toHaveLength(at + 1)
      const next = at + 1 < MOST_UNANSWERED ? once(asked, 'asked') : once(socket, 'data')
      answers[at]?.()
      await next
    }
    while (text.split('yes').length <= MOST_UNANSWERED) await once(socket, 'data')
  })

  it('close it when they are more than that without an answer', async () => {
    const { handler, answers } = held()
    const { open, lines } = await serve(handler)
    const socket = await open()
    socket.write(GET.repeat(MOST_UNANSWERED + 600))
    await once(socket, 'close')
    expect(answers).toHaveLength(1)
    expect(lines).toEqual([expect.stringContaining('reads none of 8 answers')])
  })

  it('close it over https, too, for a stranger and for somebody who is logged in', async () => {
    const { port, token } = await startServer({ env: { EXPRESSLANE_HTTPS: '1' } })
    for (const headers of ['', `Authorization: Bearer ${token}\r\n`]) {
      const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
      socket.on('error', () => {})
      await once(socket, 'secureConnect')
      socket.write(`GET /api/openapi.json HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${headers}\r\n`.repeat(100))
      socket.resume()
      await once(socket, 'close')
    }
  })

  it('are not left without an answer by a WebSocket that is asked for behind them', async () => {
    const { handler, answers, asked } = held()
    const { server, open } = await serve(handler)
    server.on('upgrade', () => expect.unreachable())
    const socket = await open()
    const first = once(asked, 'asked')
    socket.write(GET + GET.replace('\r\n\r\n', '\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n'))
    await first
    const second = once(asked, 'asked')
    answers[0]?.()
    await second
  })
})

describe('an answer', () => {
  it('closes its connection if nobody takes it', async () => {
    const { handler } = endless()
    const { server, clock, open, lines } = await serve(handler)
    const accepted = once(server, 'connection')
    const socket = await open()
    const [inside] = (await accepted) as [Socket]
    socket.pause()
    socket.write(GET)
    await passing(clock, once(inside, 'close'), LOOK_MS)
    expect(lines).toEqual([expect.stringContaining('takes nothing of an answer')])
  })

  it('is not cut if somebody takes it slowly', async () => {
    const { handler, took } = endless()
    const { clock, open, lines } = await serve(handler)
    const socket = await open()
    socket.write(GET)
    for (let at = 0; at < 10; at += 1) {
      const more = once(took, 'more')
      socket.resume()
      await more
      socket.pause()
      clock.advance(LOOK_MS)
    }
    expect(lines).toEqual([])
  })

  it('is not cut if it takes the server long', async () => {
    const { handler, asked, answers } = held()
    const { clock, open } = await serve(handler)
    const socket = await open()
    const first = once(asked, 'asked')
    socket.write(GET)
    await first
    clock.advance(10 * TAKE_MS)
    answers[0]?.()
    await once(socket, 'data')
  })
})

describe('connections', () => {
  it('beyond the limit close the one that was idle the longest', async () => {
    const { handler, asked, answers } = held()
    const { open } = await serve(handler, { most: 2, mostOfAddress: 2 })
    const busy = await open()
    const first = once(asked, 'asked')
    busy.write(GET)
    await first
    const idle = await open()
    const closed = once(idle, 'close')
    idle.resume()
    await open()
    await closed
    answers[0]?.()
    await once(busy, 'data')
  })

  it('are refused when all are in use, and the log says so once', async () => {
    const { handler, asked, answers } = held()
    const { open, lines } = await serve(handler, { most: 1, mostOfAddress: 1 })
    const busy = await open()
    const first = once(asked, 'asked')
    busy.write(GET)
    await first
    for (let at = 0; at < 3; at += 1) {
      const refused = await open()
      refused.resume()
      await once(refused, 'close')
    }
    expect(lines).toEqual([expect.stringContaining('a connection is refused')])
    answers[0]?.()
    await once(busy, 'data')
  })

  it('close for a new one when their client takes nothing, but not as streams', async () => {
    const { handler } = endless()
    const { server, clock, open } = await serve(handler, { most: 2, mostOfAddress: 2 })
    server.on('upgrade', (_request, socket: Socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'))
    const stream = await open()
    stream.write(GET.replace('\r\n\r\n', '\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n'))
    await once(stream, 'data')
    const accepted = once(server, 'connection')
    const stalled = await open()
    const [inside] = (await accepted) as [Socket]
    stalled.pause()
    stalled.write(GET)
    await once(server, 'request')
    const cut = once(inside, 'close')
    // Until a look has seen that it takes nothing.
    while (!inside.destroyed) {
      clock.advance(LOOK_MS / 4)
      const another = await open()
      another.resume()
      await Promise.race([cut, once(another, 'close')])
    }
    stream.write('still there')
    expect(stream.destroyed).toBe(false)
  })

  it('are a line in the log if the system can’t accept them, and the server goes on', async () => {
    const { server, open, lines } = await serve((_request, response) => void response.end('yes'))
    server.emit('error', Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' }))
    server.emit('error', Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' }))
    expect(lines).toEqual(['connections are not accepted'])
    const socket = await open()
    socket.write(GET)
    await once(socket, 'data')
  })

  it('from a whole room behind one address leave an eighth to other addresses', () => {
    const { from } = arrivals({ most: 8, mostOfAddress: 7 })
    for (let at = 0; at < 7; at += 1) expect(from('192.0.2.1')).not.toBeNull()
    expect(from('192.0.2.1')).toBeNull()
    expect(from('::ffff:192.0.2.1')).toBeNull()
    const other = from('2001:db8::1')
    expect(other).not.toBeNull()
    expect(from('198.51.100.7')).toBeNull()
    other?.socket.emit('close')
    expect(from('2001:db8:0:0:ffff::2')).not.toBeNull()
  })

  it('from one IPv6 network count together, and connections from this machine only in all', () => {
    const { from } = arrivals({ most: 8, mostOfAddress: 2 })
    const enters = (address: string): boolean => from(address) !== null
    expect(['2001:db8::1', '2001:db8:0:0:1::2', '2001:db8::3', '2001:db8:0:1::1'].map(enters)).toEqual([
      true,
      true,
      false,
      true,
    ])
    expect(['127.0.0.1', '::1', '::ffff:127.0.0.1', '127.0.0.1', '::1', '::1'].map(enters)).toEqual([
      true,
      true,
      true,
      true,
      true,
      false,
    ])
  })

  it('are enough for a workshop, and never take the last open files', () => {
    const people = 200 + 1000
    expect(boundsFor(200, 1_048_576).mostOfAddress).toBeGreaterThan(7 * people)
    for (const files of [256, 1024, 2048, 4096]) {
      const { most } = boundsFor(30, files)
      expect(most).toBeGreaterThan(0)
      // Each can be sent a file.
      expect(files - 2 * most).toBeGreaterThanOrEqual(Math.min(128, files / 2))
    }
  })
})

it('are bounded by the limit of open files, so that a server still answers when very many are opened', async () => {
  const script = join(import.meta.dirname, '../support/fakes/fake-server.ts')
  const limited = startProgram('sh', ['-c', `ulimit -n ${FEW_FILES}; exec "$0" "$1"`, process.execPath, script], {
    EXPRESSLANE_DATA: dataDir(),
  })
  const { port } = z.object({ port: z.number() }).parse(JSON.parse(await limited.firstLine))
  for (let at = 0; at < 2 * FEW_FILES; at += 1) {
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => {})
    await once(socket, 'connect')
  }
  expect((await ask(port, '/healthz')).status).toBe(200)
  expect(readdirSync(`/proc/${limited.child.pid}/fd`).length).toBeLessThan(FEW_FILES - 10)
})

it('opens the stream as before', async () => {
  const { port, token } = await startServer()
  expect(await knockStream(port, { authorization: `Bearer ${token}`, origin: `http://127.0.0.1:${port}` })).toBe(101)
})
