/** A TCP proxy of the test's own between client and API server, and a kubeconfig that goes through it. */
import { once } from 'node:events'
import { connect, createServer, isIP, type AddressInfo, type Socket } from 'node:net'
import type { KubeConfig } from '@kubernetes/client-node'
import { Http1KubeConfig } from '../../../src/testbeds/kubernetes/api/kubeconfig.ts'

export interface ApiProxy {
  readonly config: KubeConfig
  /** Ends every connection there is, as a broken network does. */
  cut(): void
  /** Swallows all that comes from the API server through the present connections, which stay open. */
  hush(): void
  close(): Promise<void>
}

/** @param config the real cluster's; its certificates hold for the proxy too, by the server's own name */
export async function startApiProxy(config: KubeConfig): Promise<ApiProxy> {
  const cluster = config.getCurrentCluster()
  const user = config.getCurrentUser()
  if (cluster === null || user === null) throw new Error('the kubeconfig has no cluster')
  const upstream = new URL(cluster.server)
  const sockets = new Set<Socket>()
  const upstreams = new Set<Socket>()
  const hushed = new Set<Socket>()
  const server = createServer((down) => {
    const up = connect(Number(upstream.port === '' ? 443 : upstream.port), upstream.hostname)
    upstreams.add(up)
    for (const [from, to] of [
      [down, up],
      [up, down],
    ] as const) {
      sockets.add(from)
      from.on('data', (data) => {
        if (!hushed.has(from)) to.write(data)
      })
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        upstreams.delete(from)
        to.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const through = new Http1KubeConfig()
  through.loadFromClusterAndUser(
    {
      ...cluster,
      server: `https://127.0.0.1:${port}`,
      // An address can't be asked for by name: then the certificate must hold for this one.
      ...(isIP(upstream.hostname) === 0 ? { tlsServerName: cluster.tlsServerName ?? upstream.hostname } : {}),
    },
    user,
  )
  const cut = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    config: through,
    cut,
    hush() {
      for (const socket of upstreams) hushed.add(socket)
    },
    async close() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
