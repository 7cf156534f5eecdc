/** The way from a proxy of a bench to the API server, and the kubeconfig that leads through the proxy. */
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import type { RequestOptions } from 'node:https'
import { writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { kubectl } from './cluster.ts'

/** The name of the cluster, the user and the context. */
export const PROXIED = 'proxied'

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

export type Upstream = (asked: Pick<IncomingMessage, 'method' | 'url' | 'headers'>) => RequestOptions

/** The address of the API server, with the credentials of the current context. */
export async function upstream(): Promise<Upstream> {
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

/** Writes a kubeconfig whose only context leads to a proxy on this machine. */
export async function writeProxied(file: string, port: number): Promise<void> {
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    // Plain HTTP on this machine, as `kubectl proxy` serves it.
    clusters: [{ name: PROXIED, cluster: { server: `http://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } }],
    users: [{ name: PROXIED, user: {} }],
    contexts: [{ name: PROXIED, context: { cluster: PROXIED, user: PROXIED } }],
    'current-context': PROXIED,
  }
  await writeFile(file, JSON.stringify(config))
}

/** The lines of an answer to an upgrade. */
export function headOf({ statusCode, statusMessage, rawHeaders }: IncomingMessage): string {
  const lines = [`HTTP/1.1 ${statusCode} ${statusMessage}`]
  for (let at = 0; at < rawHeaders.length; at += 2) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`)
  return `${lines.join('\r\n')}\r\n\r\n`
}
