/** An API server of a test's own, and a cluster that leads there. */
import { once } from 'node:events'
import { createServer as createHttp, type RequestListener } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { KubeConfig } from '@kubernetes/client-node'
import { onTestFinished } from 'vitest'
import { ciliumKeys } from '../../../src/features/registry.ts'
import { createCluster, type Cluster } from '../../../src/testbeds/kubernetes/api/cluster.ts'

export async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

export function clusterAt(server: string, ca?: string): Cluster {
  const config = new KubeConfig()
  const caData = ca === undefined ? {} : { caData: Buffer.from(ca).toString('base64') }
  config.loadFromClusterAndUser(
    { name: 'test', server, skipTLSVerify: server.startsWith('http:'), ...caData },
    { name: 'me', token: 'secret' },
  )
  config.contexts = config.contexts.map((context) => ({ ...context, name: 'test' }))
  config.setCurrentContext('test')
  return createCluster(config, { keys: ciliumKeys() })
}

/** A cluster whose API server is this one. */
export async function answering(listener: RequestListener): Promise<Cluster> {
  return clusterAt(`http://127.0.0.1:${await listen(createHttp(listener))}`)
}

/** @param message the API server's own words */
export function status(code: number, message: string): RequestListener {
  return (_request, response) => {
    response.writeHead(code, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', message, code }))
  }
}
