/** The app under measurement: a real server in a separate process, driven through its API. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { runsResponse, sessionView, type RunStepBody } from '@expresslane/shared/wire/protocol'
import type { RunState } from '@expresslane/shared/run/run-state'

const POLL_MS = 200
/** The kernel ends the server when this process ends, however that happens: the server then ends its own processes. */
const BOUND = ['setpriv', '--pdeathsig', 'TERM']
/** As scripts/targets.mjs starts the server, which says why. */
const SERVER_OPTIONS = ['--max-semi-space-size=4', '--heap-growing-percent=20', '--no-memory-protection-keys']
/** The gate measures the built server, as people start it; a benchmark by hand may run the source. */
const built = process.env['E2E_PROGRAMS']
const main = built === undefined ? join(import.meta.dirname, '../../../server/src/main.ts') : join(built, 'main.js')

export interface BenchApp {
  readonly link: string
  readonly origin: string
  readonly server: ChildProcess
  /** Calls the API as the instructor. @returns the JSON of the response; null for an empty response */
  ask(method: string, path: string, body?: unknown): Promise<unknown>
  /** Creates a session of a lab. @param testbed its id, or its kind. @returns the session's id */
  session(labId: string, testbed?: string): Promise<string>
  /**
   * Starts a step, and resolves when it has ended; with `solve`, when all steps up to it have ended.
   *
   * @param quietMs sends no requests for this time, because each costs about 5 ms of CPU on both sides, which would
   * slow the measurement
   */
  run(sessionId: string, stepId: string, body: RunStepBody, quietMs?: number): Promise<RunState>
  runs(sessionId: string): Promise<RunState[]>
  close(): Promise<void>
}

/** @param token the token that was set; null for the token that the server keeps in its data directory */
async function readLink(server: ChildProcess, data: string, token: string | null): Promise<URL> {
  if (server.stdout === null) throw new Error('the server has no output')
  const lines = createInterface({ input: server.stdout })
  for await (const line of lines) {
    const origin = /^Expresslane is ready: (\S+)$/.exec(line)?.[1]
    if (origin === undefined) continue
    lines.close()
    server.stdout.resume()
    const link = new URL('/open', origin)
    link.searchParams.set('token', token ?? (await readFile(join(data, 'token'), 'utf8')).trim())
    return link
  }
  throw new Error('the server ended before it was ready')
}

/**
 * @param more environment variables; without KUBECONFIG the server has no cluster
 *
 * @param cpu the processor for the server; null for any
 *
 * @param within a command that becomes its arguments, such as `nsenter` of a namespace
 */
export async function openApp(
  more: Readonly<Record<string, string>> = {},
  cpu: number | null = null,
  within: readonly string[] = [],
): Promise<BenchApp> {
  const data = await mkdtemp(join(tmpdir(), 'expresslane-bench-'))
  // The arenas and the young space are as `npm start` sets them.
  const base = { ...process.env, MALLOC_ARENA_MAX: '2', PORT: '0' }
  const env = { ...base, EXPRESSLANE_DATA: data, HOME: data, KUBECONFIG: '', ...more }
  const pinned = cpu === null ? [] : ['taskset', '-c', `${cpu}`]
  const [command, ...argv] = [...within, ...BOUND, ...pinned, process.execPath, ...SERVER_OPTIONS, main]
  const server = spawn(command, argv, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const link = await readLink(
    server,
    env.EXPRESSLANE_DATA,
    more['EXPRESSLANE_TOKEN'] ?? process.env['EXPRESSLANE_TOKEN'] ?? null,
  )
  const authorization = `Bearer ${link.searchParams.get('token')}`

  async function ask(method: string, path: string, body?: unknown): Promise<unknown> {
    const answer = await fetch(new URL(path, link), {
      method,
      // Kept connections stay open for a minute, and would count among the server's descriptors.
      headers: {
        authorization,
        connection: 'close',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
    return text === '' ? null : JSON.parse(text)
  }

  async function runs(sessionId: string): Promise<RunState[]> {
    return sessionView.parse(await ask('GET', `/api/sessions/${sessionId}`)).runs
  }

  async function untilEnded(sessionId: string, stepId: string): Promise<RunState> {
    while (runsResponse.parse(await ask('GET', '/api/runs?state=running&limit=1')).runs.length > 0) {
      await setTimeout(POLL_MS)
    }
    const all = await runs(sessionId)
    const last = all.findLast((run) => run.stepId === stepId) ?? all.at(-1)
    if (last === undefined) throw new Error(`session ${sessionId} has no runs`)
    return last
  }

  return {
    link: link.href,
    origin: link.origin,
    server,
    ask,
    session: async (labId, testbed = 'netns') =>
      sessionView.parse(await ask('POST', '/api/sessions', { labId, testbed })).session.id,
    async run(sessionId, stepId, body, quietMs = 0) {
      await ask('POST', `/api/sessions/${sessionId}/steps/${stepId}/run`, body)
      await setTimeout(quietMs)
      return untilEnded(sessionId, stepId)
    },
    runs,
    async close() {
      if (server.exitCode === null && server.signalCode === null) {
        const exited = once(server, 'exit')
        server.kill('SIGTERM')
        await exited
      }
      await rm(data, { recursive: true, force: true })
    },
  }
}
