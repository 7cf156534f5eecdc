/** A proxy between the app and the API server that counts requests, upgrades included. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { request } from 'node:https'
import type { Duplex } from 'node:stream'
import { headOf, upstream, writeProxied } from './upstream.ts'

export interface CountingProxy {
  /** All requests so far, without the query: `GET /api/v1/pods`. */
  readonly requests: readonly string[]
  /** Writes a kubeconfig whose only context leads through the proxy. */
  writeKubeconfig(file: string): Promise<void>
  close(): void
}

/** Answers an upgrade. @returns false if the API server shall answer it */
export type Upgrade = (asked: IncomingMessage, socket: Duplex, head: Buffer) => boolean

/** @param answer answers upgrades in place of the API server */
export async function openCountingProxy(answer: Upgrade = () => false): Promise<CountingProxy> {
  const requests: string[] = []
  const reach = await upstream()
  const note = ({ method, url }: IncomingMessage): void => {
    requests.push(`${method} ${url?.split('?')[0]}`)
  }
  const server = createServer((asked, reply) => {
    note(asked)
    const passed = request(reach(asked), (got) => {
      reply.writeHead(got.statusCode ?? 502, got.headers)
      // A watch answers long before its first event.
      reply.flushHeaders()
      got.pipe(reply)
      got.on('error', () => reply.destroy())
    })
    passed.on('error', () => reply.destroy())
    reply.on('close', () => passed.destroy())
    asked.pipe(passed)
  })
  server.on('upgrade', (asked, socket, head) => {
    note(asked)
    if (answer(asked, socket, head)) return
    const passed = request(reach(asked))
    const end = (): void => void socket.destroy()
    passed.on('error', end).on('response', end)
    passed.on('upgrade', (got, far, first) => {
      socket.write(headOf(got))
      socket.write(first)
      far.write(head)
      far.pipe(socket).pipe(far)
      far.on('error', end).on('close', end)
      socket.on('error', () => far.destroy()).on('close', () => far.destroy())
    })
    passed.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  return {
    requests,
    writeKubeconfig: (file) => writeProxied(file, address.port),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
