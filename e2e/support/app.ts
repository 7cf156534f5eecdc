/** A real server in a separate process, with its own port, token and data, for one test. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test as base } from '@playwright/test'

const root = join(import.meta.dirname, '../..')
/** The gate tests the built server, as people start it; a test by hand runs the source. */
const built = process.env['E2E_PROGRAMS']
const main = built === undefined ? join(root, 'server/src/main.ts') : join(built, 'main.js')
const token = 'e2e-token-e2e-token-e2e-token-00'

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

export class App {
  readonly origin: string
  private readonly port: number
  private readonly data: string
  private server: ChildProcess | null = null

  private constructor(port: number, data: string) {
    this.port = port
    this.data = data
    this.origin = `http://127.0.0.1:${port}`
  }

  static async create(): Promise<App> {
    return new App(await freePort(), await mkdtemp(join(tmpdir(), 'expresslane-e2e-')))
  }

  /** The link that `npm start` prints in a terminal. */
  get link(): string {
    return `${this.origin}/open?token=${token}`
  }

  /** Starts the server, on the same port and data as before, and returns when it is ready. */
  async start(env: Record<string, string> = {}): Promise<void> {
    // Ignores the machine's clusters, unless the test names one.
    const own = { HOME: this.data, KUBECONFIG: '', EXPRESSLANE_TOKEN: token, EXPRESSLANE_DATA: this.data }
    const server = spawn(process.execPath, [main], {
      env: { ...process.env, PORT: `${this.port}`, ...own, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    this.server = server
    const lines = createInterface({ input: server.stdout })
    for await (const line of lines) {
      if (line.startsWith('Expresslane is ready: ')) {
        lines.close()
        server.stdout.resume()
        return
      }
    }
    throw new Error('the server ended before it was ready')
  }

  /** Ends the server with a signal and waits until it is gone. */
  async end(signal: NodeJS.Signals): Promise<void> {
    const { server } = this
    this.server = null
    if (server === null || server.exitCode !== null) return
    const exited = once(server, 'exit')
    server.kill(signal)
    await exited
  }

  async remove(): Promise<void> {
    await this.end('SIGTERM')
    await rm(this.data, { recursive: true, force: true })
  }

  /** Calls the API like a script. */
  async get(path: string): Promise<unknown> {
    return JSON.parse(await this.text(path))
  }

  async text(path: string): Promise<string> {
    const answer = await fetch(`${this.origin}${path}`, { headers: { authorization: `Bearer ${token}` } })
    return answer.text()
  }

  /** Changes something through the API: a text is sent as it is. @returns the answer's body; null if it has none */
  async send(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object | string): Promise<unknown> {
    const answer = await fetch(`${this.origin}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return text === '' ? null : JSON.parse(text)
  }
}

/** `test` with a running server. */
export const test = base.extend<{ app: App }>({
  app: async ({}, use) => {
    const app = await App.create()
    await app.start()
    await use(app)
    await app.remove()
  },
})

export { expect } from '@playwright/test'
