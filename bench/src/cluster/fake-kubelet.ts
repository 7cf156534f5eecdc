/** A node without a machine: it takes the pods that no scheduler takes, and reports them as running. Their `exec` is an agent here. */
import { spawn } from 'node:child_process'
import { Agent, request } from 'node:https'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocketServer, type RawData } from 'ws'
import { z } from 'zod'
import { TESTBEDS } from './hub.ts'
import { upstream, type Upstream } from './upstream.ts'
import type { Upgrade } from './counting-proxy.ts'

const NODE = 'expresslane-bench'
/** No scheduler has this name. */
export const NOBODY = 'expresslane-bench'
/** From a pod's node to its report that it runs, where the node has the image. */
const START_MS = 5000
/** A node that says nothing for 50 s counts as lost. */
const BEAT_MS = 10_000
const program = join(import.meta.dirname, '../../../server/native/bin/agent-x64')
/** The first byte of each message names its channel: `exec-socket.ts` has them all. */
const [STDIN, STDOUT, STATUS] = [0, 1, 3]

const pods = `/api/v1/namespaces/${TESTBEDS}/pods`
const line = z.object({
  type: z.string(),
  object: z.object({
    metadata: z.object({ name: z.string(), uid: z.string() }),
    spec: z.object({ nodeName: z.string().optional() }),
  }),
})

function createApi(reach: Upstream) {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })

  function open(method: string, url: string, body?: unknown): Promise<IncomingMessage> {
    const type = method === 'PATCH' ? 'application/strategic-merge-patch+json' : 'application/json'
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const options = reach({ method, url, headers: { 'content-type': type } })
    const asked = request({ ...options, ...(url.includes('watch=') ? {} : { agent }) }, resolve)
    asked.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body))
    return promise
  }

  return {
    open,
    async ask(method: string, url: string, body?: unknown): Promise<void> {
      const answer = await open(method, url, body)
      const words = await text(answer)
      if ((answer.statusCode ?? 0) >= 300) throw new Error(`${method} ${url}: ${answer.statusCode} ${words}`)
    },
  }
}

const isTrue = (type: string) => ({ type, status: 'True', lastHeartbeatTime: new Date().toISOString() })

export interface Kubelet {
  /** Pods that it has reported as running. */
  readonly running: () => number
  close(): Promise<void>
}

/** @param fail called with the reason when it can't go on. The namespace exists by then */
export async function startKubelet(fail: (why: unknown) => void): Promise<Kubelet> {
  const { open, ask } = createApi(await upstream())
  let running = 0
  const seen = new Set<string>()

  const beat = (): Promise<void> =>
    ask('PATCH', `/api/v1/nodes/${NODE}/status`, { status: { conditions: [isTrue('Ready')] } })

  async function start(name: string): Promise<void> {
    const target = { apiVersion: 'v1', kind: 'Node', name: NODE }
    await ask('POST', `${pods}/${name}/binding`, { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target })
    await delay(START_MS)
    const container = { name: 'testbed', ready: true, restartCount: 0, image: 'none', imageID: 'none' }
    const containerStatuses = [{ ...container, state: { running: { startedAt: new Date().toISOString() } } }]
    const conditions = ['ContainersReady', 'Ready'].map((type) => ({ type, status: 'True' }))
    await ask('PATCH', `${pods}/${name}/status`, { status: { phase: 'Running', conditions, containerStatuses } })
    running += 1
  }

  await ask('POST', '/api/v1/nodes', {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: NODE },
    spec: { unschedulable: true },
  })
  await beat()
  const timer = setInterval(() => void beat().catch(fail), BEAT_MS)
  const watch = await open('GET', `${pods}?watch=true`)
  createInterface({ input: watch }).on('line', (one) => {
    const { object } = line.parse(JSON.parse(one))
    if (object.spec.nodeName !== undefined || seen.has(object.metadata.uid)) return
    seen.add(object.metadata.uid)
    start(object.metadata.name).catch(fail)
  })
  return {
    running: () => running,
    async close() {
      clearInterval(timer)
      watch.destroy()
      await ask('DELETE', `/api/v1/nodes/${NODE}`)
    },
  }
}

function bytesOf(data: RawData): Buffer {
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.isBuffer(data) ? data : Buffer.from(data)
}

/** Answers each `exec` with an agent on this machine, which gets the arguments of the one in the pod. */
export function createAgents(): { readonly count: () => number; readonly upgrade: Upgrade } {
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: ([first = '']) => first })
  let count = 0
  return {
    count: () => count,
    upgrade(asked, socket, head) {
      const { pathname, searchParams } = new URL(asked.url ?? '', 'http://localhost')
      if (!pathname.endsWith('/exec')) return false
      sockets.handleUpgrade(asked, socket, head, (stream) => {
        count += 1
        const agent = spawn(program, searchParams.getAll('command').slice(1), { stdio: ['pipe', 'pipe', 'ignore'] })
        agent.stdout.on('data', (bytes: Buffer) => stream.send(Buffer.concat([Buffer.of(STDOUT), bytes])))
        agent.stdin.on('error', () => stream.terminate())
        agent.on('exit', (code) => {
          stream.send(Buffer.concat([Buffer.of(STATUS), Buffer.from(JSON.stringify({ message: `exit code ${code}` }))]))
          stream.close()
        })
        stream.on('error', () => stream.terminate()).on('close', () => agent.stdin.end())
        stream.on('message', (data) => {
          const bytes = bytesOf(data)
          if (bytes[0] === STDIN) agent.stdin.write(bytes.subarray(1))
        })
      })
      return true
    },
  }
}
