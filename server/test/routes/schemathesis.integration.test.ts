/** Schemathesis sends what the description of the API allows, and much that it does not, to a running server. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runId } from '@expresslane/shared/run/events'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { startServer, type TestServer } from '../support/http/server.ts'

/** `npm test` puts it there. */
const schemathesis = join(import.meta.dirname, '../../../.cache/schemathesis/bin/schemathesis')
/** More find no more in a minute: each operation has its coverage of the schema besides. */
const EXAMPLES = 5
/** The same requests in every run. `SCHEMATHESIS_SEED=N` sends others. */
const SEED = process.env['SCHEMATHESIS_SEED'] ?? '1'
const created = z.object({ session: z.object({ id: z.string() }) })
const accepted = z.object({ runId })

/** A session with one run that has ended: without them every address with an id answers 404 and is hardly tested. */
async function history({ call, deps }: TestServer): Promise<{ session: string; run: string }> {
  const headers = { 'content-type': 'application/json' }
  const [lab] = deps.labs.all()
  const body = JSON.stringify({ labId: lab?.id, testbed: 'netns' })
  const { text } = await call('/api/sessions', { method: 'POST', headers, body })
  const { id } = created.parse(JSON.parse(text)).session
  const started = await call(`/api/sessions/${id}/reset`, { method: 'POST' })
  const { runId: run } = accepted.parse(JSON.parse(started.text))
  await deps.scheduler.settled(run)
  return { session: id, run }
}

function configFor({ session, run }: { session: string; run: string }): string {
  const known = (names: readonly string[], parameter: string, value: string): string =>
    `[[operations]]\ninclude-name = ${JSON.stringify(names)}\nparameters = { ${JSON.stringify(parameter)} = ${JSON.stringify(value)} }\n`
  const runs = ['GET /api/runs/{id}', 'GET /api/runs/{id}/recording', 'GET /api/runs/{id}/report']
  const sessions = ['GET /api/sessions/{id}', 'GET /api/sessions/{id}/recording', 'GET /api/sessions/{id}/report']
  const base = readFileSync(join(import.meta.dirname, 'schemathesis.toml'), 'utf8')
  return [base, known(runs, 'path.id', run), known(sessions, 'path.id', session)].join('\n')
}

it('answers as described, for any request', async () => {
  expect(existsSync(schemathesis), 'schemathesis is missing: `npm test` installs it').toBe(true)
  const server = await startServer()
  const folder = mkdtempSync(join(tmpdir(), 'expresslane-schemathesis-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const config = join(folder, 'schemathesis.toml')
  writeFileSync(config, configFor(await history(server)))
  const argv = ['--config-file', config, '--no-color', 'run', `http://127.0.0.1:${server.port}/api/openapi.json`]
  const options = [
    '--header',
    `Authorization: Bearer ${server.token}`,
    '--checks',
    'all',
    '--max-examples',
    `${EXAMPLES}`,
    '--seed',
    SEED,
  ]
  const child = spawn(schemathesis, [...argv, ...options], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  const [code] = (await once(child, 'close')) as [number | null]
  expect(code, said).toBe(0)
})
