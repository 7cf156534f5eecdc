/** An API server that accepts and then says nothing, at every place where it can: whatever waits for it ends. */
import { createServer as createHttp, type RequestListener, type Server } from 'node:http'
import { createServer as createTcp } from 'node:net'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { LabError } from '@expresslane/shared/base/errors'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { createCluster, type Cluster } from '../../../../src/testbeds/kubernetes/api/cluster.ts'
import { watchObjects } from '../../../../src/testbeds/kubernetes/api/watch.ts'
import { execIn } from '../../../../src/testbeds/kubernetes/exec/exec.ts'
import { createKubernetesTestbed } from '../../../../src/testbeds/kubernetes/index.ts'
import type { Testbed } from '../../../../src/testbeds/testbed.ts'
import { note } from '../../../contract/contract-kit.ts'
import { pair } from '../../../support/runs/pair.ts'
import { clusterAt, listen } from '../fake-api.ts'

const forever = new AbortController().signal
const quick = { requestMs: 300 }
const at = { namespace: 'some', pod: 'one', container: 'main' }
const json = { 'content-type': 'application/json' }

function codeOf(asked: Promise<unknown>): Promise<unknown> {
  return asked.then(
    () => 'an answer',
    (error: unknown) => (error instanceof LabError ? error.code : error),
  )
}

function impatient(server: string): Cluster {
  const cluster = createCluster(clusterAt(server).config, quick)
  onTestFinished(() => cluster.close(new Error('the test has ended')))
  return cluster
}

/** @returns its address, and how many connections are open */
async function stalling(listener: RequestListener, upgrade: 'silent' | 'refused'): Promise<Cluster> {
  const server = createHttp(listener)
  server.on('upgrade', (_request, socket) => {
    socket.on('error', () => {})
    onTestFinished(() => void socket.destroy())
    // A refusal whose body never ends.
    if (upgrade === 'refused') socket.write('HTTP/1.1 500 No\r\ncontent-length: 100\r\n\r\n{')
  })
  onTestFinished(() => server.closeAllConnections())
  return impatient(`http://127.0.0.1:${await listen(server)}`)
}

function everything(cluster: Cluster): Promise<unknown>[] {
  const asked = cluster.request({ verb: 'list', resource: 'nodes' }, forever, (options) =>
    cluster.core.listNode({}, options),
  )
  const command = execIn(cluster, at, ['true'], { signal: forever, deadlineMs: 60_000 }).next()
  return [asked, command].map(codeOf)
}

/** The testbed of a cluster whose API server is this one. */
async function testbedAt(server: Server): Promise<Testbed> {
  onTestFinished(() => server.closeAllConnections())
  const { config } = clusterAt(`http://127.0.0.1:${await listen(server)}`)
  const dir = mkdtempSync(join(tmpdir(), 'expresslane-stalls-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  writeFileSync(join(dir, 'config'), config.exportConfig())
  const env = { KUBECONFIG: join(dir, 'config') }
  return createKubernetesTestbed({
    env,
    context: 'test',
    namespace: 'some',
    image: 'an/image',
    podSeconds: 600,
    keys: [],
  })
}

const agent = {
  metadata: { name: 'cilium-1', namespace: 'kube-system', uid: 'one' },
  spec: { nodeName: 'node1', containers: [{ name: 'cilium-agent' }] },
  status: { conditions: [{ type: 'Ready', status: 'True' }] },
}

/** An API server with one agent, in whose pod a loop runs. `kill` is the command that ends it. */
function withAgent() {
  const [looping, killing] = [Promise.withResolvers<void>(), Promise.withResolvers<WebSocket>()]
  const server = createHttp((request, response) => {
    response.writeHead(200, json)
    if (request.url?.includes('watch=true') === true) return response.flushHeaders()
    const items = request.url?.includes('/kube-system/pods') === true ? [agent] : []
    return response.end(JSON.stringify({ metadata: { resourceVersion: '1' }, items }))
  })
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => 'v4.channel.k8s.io' })
  server.on('upgrade', (request, socket, head) => {
    onTestFinished(() => void socket.destroy())
    sockets.handleUpgrade(request, socket, head, (command) => {
      if (request.url?.includes('expresslane-kill') === true) return killing.resolve(command)
      command.send(Buffer.from('\u0001eth0 mtu 1500\n'))
      return looping.resolve()
    })
  })
  return { server, looping: looping.promise, killing: killing.promise }
}

/** Follows its changes to their end, which has a code. */
function following(testbed: Testbed): { readonly first: Promise<void>; readonly ended: Promise<unknown> } {
  const first = Promise.withResolvers<void>()
  async function follow(): Promise<void> {
    for await (const _ of testbed.changes?.(note()) ?? []) first.resolve()
  }
  return { first: first.promise, ended: codeOf(follow()) }
}

const both = ['cluster_unreachable', 'cluster_unreachable']

describe('an API server that says nothing', () => {
  it('after it has accepted the connection: all ends by the deadline', async () => {
    const server = createTcp((socket) => onTestFinished(() => void socket.destroy()))
    const port = await listen(server)
    expect(await Promise.all(everything(impatient(`http://127.0.0.1:${port}`)))).toEqual(both)
    expect(await Promise.all(everything(impatient(`https://127.0.0.1:${port}`)))).toEqual(both)
  })

  it('after the request: all ends by the deadline', async () => {
    expect(await Promise.all(everything(await stalling(() => {}, 'silent')))).toEqual(both)
  })

  it('in the middle of its answer: all ends by the deadline', async () => {
    const half: RequestListener = (_request, response) => void response.writeHead(200, json).write('{"kind":')
    expect(await Promise.all(everything(await stalling(half, 'refused')))).toEqual(both)
  })

  it('is waited for by a watch, which ends with its signal', async () => {
    const cluster = await stalling(() => {}, 'silent')
    const abort = new AbortController()
    const target = { path: '/api/v1/nodes', permission: { resource: 'nodes' } }
    const watched = watchObjects(cluster, target, abort.signal).next()
    abort.abort(new Error('enough'))
    await expect(watched).rejects.toThrow('enough')
  })
})

describe('closing a cluster', () => {
  it('waits until what runs in its pods is ended', async () => {
    const { server, looping, killing } = withAgent()
    const testbed = await testbedAt(server)
    const { first, ended } = following(testbed)
    await Promise.all([first, looping])
    const closed = testbed.close()
    const kill = await killing
    expect(kill.readyState).toBe(WebSocket.OPEN)
    kill.send(Buffer.from('\u0003{"status":"Success"}'))
    await closed
    expect(await ended).toBe('testbed_gone')
  })

  it('does not wait for ever for it', async () => {
    const { server, looping, killing } = withAgent()
    const testbed = await testbedAt(server)
    const { first, ended } = following(testbed)
    await Promise.all([first, looping])
    await Promise.all([testbed.close(), killing])
    expect(await ended).toBe('testbed_gone')
  })

  it('ends requests, watches and commands at once', async () => {
    const cluster = createCluster((await stalling(() => {}, 'silent')).config)
    const target = { path: '/api/v1/nodes', permission: { resource: 'nodes' } }
    const pending = [...everything(cluster), codeOf(watchObjects(cluster, target, forever).next())]
    cluster.close(new LabError('testbed_gone', 'closed', 'Open it again.'))
    expect(new Set(await Promise.all(pending))).toEqual(new Set(['testbed_gone']))
  })

  it('has a deadline, also in an apply, which no cancel ends midway', async () => {
    const applying = Promise.withResolvers<void>()
    const server = createHttp((request, response) => {
      // Everything is allowed, there are no pods, and an apply is never answered.
      if (request.method === 'PATCH') return applying.resolve()
      response.writeHead(200, json)
      if (request.url?.includes('watch=true') === true) return response.flushHeaders()
      return response.end(JSON.stringify({ metadata: { resourceVersion: '1' }, items: [], status: { allowed: true } }))
    })
    const testbed = await testbedAt(server)
    const deploying = codeOf(testbed.deploy(pair, 'other-node', note()))
    await applying.promise
    await testbed.close()
    expect(await deploying).toBe('testbed_gone')
  })
})
