/** `docs/openapi.json` is what the routes generate. After a change: `vitest run server/test/routes/openapi.test.ts -u`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { errorCodes } from '@expresslane/shared/base/errors'
import { runEvent } from '@expresslane/shared/run/events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { openRig } from '../support/deps.ts'

const committed = join(import.meta.dirname, '../../../docs/openapi.json')

/** `paths /api/me get summary: "Who?", in the file "Who are you?"`: the first difference of each operation and each schema. */
function differencesOf(was: unknown, now: unknown, at: readonly string[] = []): string[] {
  if (isDeepStrictEqual(was, now)) return []
  const isPart = (value: unknown): value is object => typeof value === 'object' && value !== null
  if (!isPart(was) || !isPart(now)) {
    return [`${at.join(' ')}: ${JSON.stringify(now)?.slice(0, 120)}, in the file ${JSON.stringify(was)?.slice(0, 120)}`]
  }
  const [before, after] = [new Map(Object.entries(was)), new Map(Object.entries(now))]
  const keys = [...new Set([...before.keys(), ...after.keys()])]
  const found = keys.flatMap((key) => differencesOf(before.get(key), after.get(key), [...at, key]))
  return at.length < 3 ? found : found.slice(0, 1)
}

async function generated(): Promise<{ paths: Record<string, Record<string, { responses?: object }>> }> {
  const { server, token } = await buildApp(openRig().deps)
  onTestFinished(() => server.close())
  const headers = { host: 'localhost:0', authorization: `Bearer ${token}` }
  const answer = await server.inject({ method: 'GET', url: '/api/openapi.json', headers })
  expect(answer.statusCode).toBe(200)
  return answer.json()
}

describe('the description of the API', () => {
  it('is the one in docs', async () => {
    const described = {
      'x-generated': 'Do not edit: vitest run -u --project=server test/routes/openapi.test.ts',
      ...(await generated()),
    }
    const differences = differencesOf(JSON.parse(readFileSync(committed, 'utf8')), described)
    try {
      await expect(`${JSON.stringify(described, null, 2)}\n`).toMatchFileSnapshot(committed)
    } catch {
      // Vitest's own message is a diff of the whole file, which takes minutes to print.
      throw new Error(`docs/openapi.json differs from the routes:\n${differences.join('\n')}`)
    }
  })

  it('describes every route and its answers', async () => {
    const { paths } = await generated()
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, route]) => {
        if (!path.endsWith('/stream')) expect(Object.keys(route.responses ?? {}), path).not.toEqual([])
        return `${method.toUpperCase()} ${path}`
      }),
    )
    expect(routes.toSorted()).toEqual([
      'DELETE /api/presentation',
      'DELETE /api/profiles/{name}',
      'DELETE /api/recordings/{id}',
      'DELETE /api/room/invitations/{id}',
      'DELETE /api/room/participants/{id}',
      'DELETE /api/sessions/{id}/hand',
      'DELETE /api/sessions/{id}/sharing',
      'DELETE /api/terminals/{id}',
      'DELETE /api/testbeds/{id}/driver',
      'GET /api/audit',
      'GET /api/audit.csv',
      'GET /api/compare/report',
      'GET /api/data',
      'GET /api/found/report',
      'GET /api/labs',
      'GET /api/me',
      'GET /api/me/record',
      'GET /api/presentation',
      'GET /api/profiles',
      'GET /api/recordings',
      'GET /api/recordings/{id}',
      'GET /api/room',
      'GET /api/room/invitations',
      'GET /api/room/report',
      'GET /api/room/results.csv',
      'GET /api/room/steps',
      'GET /api/room/steps.csv',
      'GET /api/room/xapi.json',
      'GET /api/runs',
      'GET /api/runs/{id}',
      'GET /api/runs/{id}/opinion',
      'GET /api/runs/{id}/output',
      'GET /api/runs/{id}/recording',
      'GET /api/runs/{id}/report',
      'GET /api/sessions',
      'GET /api/sessions/{id}',
      'GET /api/sessions/{id}/recording',
      'GET /api/sessions/{id}/rehearsal',
      'GET /api/sessions/{id}/report',
      'GET /api/site',
      'GET /api/stream',
      'GET /api/terminals/{id}/stream',
      'GET /api/testbeds',
      'GET /api/testbeds/{id}',
      'GET /api/testbeds/{id}/terminals',
      'GET /healthz',
      'GET /metrics',
      'GET /readyz',
      'POST /api/join',
      'POST /api/me/link',
      'POST /api/me/logout',
      'POST /api/presentation/answers',
      'POST /api/presentation/commands',
      'POST /api/recordings',
      'POST /api/room/invitations',
      'POST /api/room/messages',
      'POST /api/room/networks',
      'POST /api/runs/{id}/cancel',
      'POST /api/runs/{id}/jump',
      'POST /api/runs/{id}/opinion',
      'POST /api/sessions',
      'POST /api/sessions/{id}/rehearsal',
      'POST /api/sessions/{id}/reset',
      'POST /api/sessions/{id}/steps/{step}/hand',
      'POST /api/sessions/{id}/steps/{step}/run',
      'POST /api/testbeds/{id}/driver',
      'POST /api/testbeds/{id}/terminals',
      'PUT /api/presentation',
      'PUT /api/profiles',
      'PUT /api/room/doors/{role}',
      'PUT /api/room/queue',
      'PUT /api/sessions/{id}/hand',
      'PUT /api/sessions/{id}/sharing',
      'PUT /api/testbeds/{id}/context',
    ])
  })
})

describe('docs/api.md', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/api.md'), 'utf8')

  it('lists every route, every error code and every event', async () => {
    const { paths } = await generated()
    for (const path of Object.keys(paths)) expect(page).toContain(path.replaceAll(/\{(\w+)\}/g, ':$1'))
    for (const code of errorCodes) expect(page).toContain(`\`${code}\``)
    for (const event of runEvent.options) expect(page).toContain(`\`${event.shape.type.value}\``)
  })
})
