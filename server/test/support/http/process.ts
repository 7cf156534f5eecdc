/** Starts and ends real processes of the server. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import { dataDir } from '../deps.ts'

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface Program {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  /** The first line that it prints; rejects if it ends without one. */
  readonly firstLine: Promise<string>
}

/** Keeps what is to be done when that ends which a program is for. */
export type AtEnd = (end: () => void) => void

/**
 * The gate tests the built programs, as people start them; a test by hand runs their source.
 *
 * @param script relative to `server/`
 */
export function programFile(script: string): string {
  const built = process.env['E2E_PROGRAMS']
  const name = /^src\/(\w+)\.ts$/.exec(script)?.[1]
  return built !== undefined && name !== undefined
    ? join(built, `${name}.js`)
    : join(import.meta.dirname, '../../..', script)
}

/** @param script relative to `server/` @param atEnd of the test, if it is not of several */
export function start(
  script: string,
  env: Record<string, string>,
  args: readonly string[] = [],
  atEnd: AtEnd = onTestFinished,
): Program {
  return startProgram(process.execPath, [programFile(script), ...args], env, atEnd)
}

/** Any program that runs the server in the end. */
export function startProgram(
  file: string,
  args: readonly string[],
  env: Record<string, string>,
  atEnd: AtEnd = onTestFinished,
): Program {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env
  const child = spawn(file, args, {
    env: { PATH, HOME, NODE_COMPILE_CACHE, LOG_LEVEL: 'silent', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  atEnd(() => void child.kill('SIGKILL'))
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  const ended = once(child, 'close').then(([code]) => ({ code: z.number().nullable().parse(code), out, err }))
  const firstLine = Promise.race([
    once(createInterface(child.stdout), 'line').then(([line]) => String(line)),
    ended.then(() => Promise.reject(new Error(`it ended and said: ${err}`))),
  ])
  // A program that only has to end is not asked for its line.
  firstLine.catch(() => {})
  return { child, ended, firstLine }
}

export interface MainProgram extends Program {
  /** The server's port, its token and its data directory. */
  readonly ready: Promise<{ readonly port: number; readonly token: string; readonly dir: string }>
}

/** As `npm start` has them: scripts/setup/bundles.mjs and targets.mjs say why. */
const SERVER_OPTIONS = ['--max-semi-space-size=4', '--heap-growing-percent=20', '--no-memory-protection-keys']

/** main.ts. Its output is no terminal, so the token is read from where it is kept. @param env a data directory unless it has one */
export function startMain(
  env: Record<string, string> = {},
  script = 'src/main.ts',
  atEnd: AtEnd = onTestFinished,
): MainProgram {
  const dir = env['EXPRESSLANE_DATA'] ?? dataDir(atEnd)
  const own = { EXPRESSLANE_DATA: dir, MALLOC_ARENA_MAX: '2' }
  const program = startProgram(process.execPath, [...SERVER_OPTIONS, programFile(script)], { ...own, ...env }, atEnd)
  const ready = program.firstLine.then((line) => ({
    // A log at `info` names the address before the line for people does.
    port: Number(/https?:\/\/[^\s"]+:(\d+)/.exec(line)?.[1]),
    token: env['EXPRESSLANE_TOKEN'] ?? readFileSync(join(dir, 'token'), 'utf8').trim(),
    dir,
  }))
  ready.catch(() => {})
  return { ...program, ready }
}

const where = z.object({ port: z.number(), token: z.string() })

/** The server with a fake testbed as a separate process. */
export async function startFakeServer(data: string, env: Record<string, string> = {}) {
  const program = start('test/support/fakes/fake-server.ts', { EXPRESSLANE_DATA: data, ...env })
  return { ...program, ...where.parse(JSON.parse(await program.firstLine)) }
}
