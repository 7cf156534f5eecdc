/** A proxy between the app and the API server that counts requests, upgrades included. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { request, type RequestOptions } from 'node:https'
import { writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { kubectl } from './cluster.ts'

/** One name for the cluster, the user and the context. */
export const COUNTED = 'counted'

const base64 = z.string().transform((text) => Buffer.from(text, 'base64'))
const kubeconfig = z.object({
  clusters: z.tuple([z.object({ cluster: z.object({ server: z.url(), 'certificate-authority-data': base64 }) })]),
  users: z.tuple([
    z.object({
      user: z.object({
        'client-certificate-data': base64.optional(),
        'client-key-data': base64.optional(),
        token: z.string().optional(),
      }),
    }),
  ]),
})

export interface CountingProxy {
  /** All requests so far, without the query: `GET /api/v1/pods`. */
  readonly requests: readonly string[]
  /** Writes a kubeconfig whose only context leads through the proxy. */
  writeKubeconfig(file: string): Promise<void>
  close(): void
}

type Upstream = (asked: IncomingMessage) => RequestOptions

/** The address of the API server, with the credentials of the current context. */
async function upstream(): Promise<Upstream> {
  const shown = await kubectl('config', 'view', '--raw', '--minify', '--flatten', '-o', 'json')
  const { clusters, users } = kubeconfig.parse(JSON.parse(shown))
  const { server, 'certificate-authority-data': ca } = clusters[0].cluster
  const { 'client-certificate-data': cert, 'client-key-data': key, token } = users[0].user
  const { hostname, port, host } = new URL(server)
  return ({ method, url, headers }) => {
    const sent: OutgoingHttpHeaders = { ...headers, host }
    if (token !== undefined) sent['authorization'] = `Bearer ${token}`
    return {
      hostname,
      port: port === '' ? 443 : port,
      ca,
      ...(cert === undefined || key === undefined ? {} : { cert, key }),
      ...(method === undefined ? {} : { method }),
      ...(url === undefined ? {} : { path: url }),
      headers: sent,
    }
  }
}

export async function openCountingProxy(): Promise<CountingProxy> {
  const requests: string[] = []
  const reach = await upstream()
  const note = ({ method, url }: IncomingMessage): void => {
    requests.push(`${method} ${url?.split('?')[0]}`)
  }
  const server = createServer((asked, answer) => {
    note(asked)
    const passed = request(reach(asked), (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers)
      got.pipe(answer)
      got.on('error', () => answer.destroy())
    })
    passed.on('error', () => answer.destroy())
    answer.on('close', () => passed.destroy())
    asked.pipe(passed)
  })
  server.on('upgrade', (asked, socket, head) => {
    note(asked)
    const passed = request(reach(asked))
    const end = (): void => void socket.destroy()
    passed.on('error', end).on('response', end)
    passed.on('upgrade', (got, far, first) => {
      const lines = [`HTTP/1.1 ${got.statusCode} ${got.statusMessage}`]
      for (let at = 0; at < got.rawHeaders.length; at += 2)
        lines.push(`${got.rawHeaders[at]}: ${got.rawHeaders[at + 1]}`)
      socket.write(`${lines.join('\r\n')}\r\n\r\n`)
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
    writeKubeconfig: (file) =>
      writeFile(
        file,
        JSON.stringify({
          apiVersion: 'v1',
          kind: 'Config',
          clusters: [
            {
              name: COUNTED,
              // Plain HTTP on this machine, as `kubectl proxy` serves it.
              cluster: { server: `http://127.0.0.1:${address.port}`, 'insecure-skip-tls-verify': true },
            },
          ],
          users: [{ name: COUNTED, user: {} }],
          contexts: [{ name: COUNTED, context: { cluster: COUNTED, user: COUNTED } }],
          'current-context': COUNTED,
        }),
      ),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
