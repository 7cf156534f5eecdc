/** A proxy between the app and the API server that breaks in the ways in which an API server does. */
import { once } from 'node:events'
import { createServer, STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import { request } from 'node:https'
import type { Duplex } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { headOf, upstream, writeProxied } from '../../cluster/upstream.ts'
import { answerGarbage, NOISE } from './garbage.ts'

export type Fault = 'paused' | 'cut' | 'slow' | '429' | '500' | 'garbage'

const SLOW_MS = 300

export interface FaultProxy {
  writeKubeconfig(file: string): Promise<void>
  /**
   * Breaks at a later request.
   *
   * @param fault null: only reports the request
   * @param after how many requests still pass; 0 breaks at once
   * @returns resolves when it is broken
   */
  arm(fault: Fault | null, after: number): Promise<void>
  /** Works again, and does not break at a later request. */
  heal(): Promise<void>
  /** The requests since the last {@link arm} or heal. */
  passed(): number
  close(): void
}

/** A transfer through the proxy that takes a while: the answer of a watch, the bytes of an exec. */
interface Flow {
  pause(): void
  resume(): void
  /** Sends bytes that no API server sends, and ends. */
  spoil(): void
}

async function bodyOf(asked: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of asked) parts.push(Buffer.from(part as Uint8Array))
  return Buffer.concat(parts)
}

function statusBody(code: number): string {
  const message = code === 429 ? 'too many requests, please try again later' : 'etcdserver: leader changed'
  return JSON.stringify({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code })
}

function refuse(answer: ServerResponse, code: number): void {
  answer.writeHead(code, { 'content-type': 'application/json', ...(code === 429 ? { 'retry-after': '1' } : {}) })
  answer.end(statusBody(code))
}

function refuseUpgrade(socket: Duplex, code: number): void {
  const body = statusBody(code)
  const head = `HTTP/1.1 ${code} ${STATUS_CODES[code]}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`
  socket.end(`${head}\r\nconnection: close\r\n\r\n${body}`)
}

export async function openFaultProxy(random: () => number): Promise<FaultProxy> {
  const reach = await upstream()
  const flows = new Set<Flow>()
  const sockets = new Set<Duplex>()
  let fault: Fault | null = null
  let armed: { readonly fault: Fault | null; after: number; begun(): void } | null = null
  let passed = 0
  let healed = Promise.withResolvers<void>()

  async function begin(next: Fault | null): Promise<void> {
    fault = next
    healed = Promise.withResolvers()
    if (next === 'paused') for (const flow of flows) flow.pause()
    if (next === 'garbage') for (const flow of flows) flow.spoil()
    if (next === 'cut') {
      // Nothing listens on the proxy's port any more: it refuses connections.
      server.close()
      server.closeAllConnections()
      for (const socket of sockets) socket.destroy()
    }
  }

  /** @returns whether the request goes on to the API server, or in which way it does not */
  async function verdict(): Promise<'429' | '500' | 'garbage' | 'cut' | null> {
    if (armed !== null && armed.after === passed) {
      const { fault: next, begun } = armed
      armed = null
      await begin(next)
      begun()
    }
    passed += 1
    if (fault === 'slow') await setTimeout(SLOW_MS)
    if (fault === 'paused') await healed.promise
    return fault === null || fault === 'slow' || fault === 'paused' ? null : fault
  }

  /** Follows a flow until its end. */
  function keep(flow: Flow, ...ends: readonly (IncomingMessage | Duplex | ServerResponse)[]): void {
    flows.add(flow)
    for (const end of ends) end.once('close', () => flows.delete(flow))
  }

  function forward(asked: IncomingMessage, body: Buffer, answer: ServerResponse): void {
    const sent = request(reach(asked), (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers)
      got.pipe(answer)
      got.on('error', () => answer.destroy())
      keep(
        {
          pause: () => void got.unpipe(answer).pause(),
          resume: () => void got.pipe(answer),
          spoil: () => {
            got.unpipe(answer)
            answer.end(NOISE)
          },
        },
        got,
        answer,
      )
    })
    sent.on('error', () => answer.destroy())
    if (!answer.destroyed) answer.on('close', () => sent.destroy())
    sent.end(body)
  }

  function upgrade(asked: IncomingMessage, socket: Duplex, head: Buffer): void {
    const sent = request(reach(asked))
    const end = (): void => void socket.destroy()
    sent.on('error', end)
    sent.on('response', (got) => {
      socket.write(headOf(got))
      got.pipe(socket)
    })
    sent.on('upgrade', (got, far, first) => {
      socket.write(headOf(got))
      socket.write(first)
      far.write(head)
      far.pipe(socket).pipe(far)
      far.on('error', end).on('close', end)
      socket.on('close', () => far.destroy())
      keep(
        {
          pause: () => void far.unpipe(socket).pause(),
          resume: () => void far.pipe(socket),
          spoil: () => {
            far.unpipe(socket)
            socket.end(NOISE)
          },
        },
        far,
        socket,
      )
    })
    sent.end()
  }

  async function serve(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const body = await bodyOf(asked)
    const how = await verdict()
    // A server that stood still reads its requests, although nobody waits for the answers: a write happens late.
    const isLate = answer.destroyed
    if (isLate && (how !== null || asked.method === 'GET')) return
    if (how === null) forward(asked, body, answer)
    else if (how === 'cut') answer.destroy()
    else if (how === 'garbage') answerGarbage(answer, random)
    else refuse(answer, Number(how))
  }

  const server = createServer((asked, answer) => {
    serve(asked, answer).catch(() => answer.destroy())
  })
  server.on('upgrade', (asked, socket, head) => {
    sockets.add(socket)
    socket.on('error', () => {}).once('close', () => sockets.delete(socket))
    void verdict().then((how) => {
      if (socket.destroyed) return
      if (how === null) return upgrade(asked, socket, head)
      if (how === 'cut') return void socket.destroy()
      if (how === 'garbage') return void socket.end(NOISE)
      return refuseUpgrade(socket, Number(how))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  const { port } = address

  return {
    writeKubeconfig: (file) => writeProxied(file, port),
    async arm(next, after) {
      passed = 0
      if (after === 0) return begin(next)
      const begun = Promise.withResolvers<void>()
      armed = { fault: next, after, begun: begun.resolve }
      return begun.promise
    },
    async heal() {
      const was = fault
      fault = null
      armed = null
      passed = 0
      if (was === 'cut') {
        server.listen(port, '127.0.0.1')
        await once(server, 'listening')
      }
      if (was === 'paused') for (const flow of flows) flow.resume()
      healed.resolve()
    },
    passed: () => passed,
    close() {
      server.close()
      server.closeAllConnections()
      for (const socket of sockets) socket.destroy()
    },
  }
}
